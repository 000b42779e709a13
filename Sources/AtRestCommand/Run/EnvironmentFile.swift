import AtRestCrypto
import Foundation

/// A file of environment variables: a line `NAME=value` for each, blank lines, and comments that
/// begin with `#`.
///
/// A value may be in single or double quotes, which are removed. Nothing else is interpreted.
enum EnvironmentFile {
  /// Returns the variables of a file, in its order.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the file cannot be read;
  ///   ``AtRestError/Code/invalidArgument`` for a line of another form. The error names the line's
  ///   number and not its text, which may be a secret.
  static func variables(in path: String) throws -> [(name: String, value: String)] {
    let contents = try SecretInput.contents(of: path)
    guard let text = String(copying: contents) else {
      throw AtRestError.invalid("\(path) is not UTF-8 text.", remedy: "Check the file.")
    }
    return try variables(of: text, named: path)
  }

  static func variables(
    of text: String, named path: String
  ) throws -> [(name: String, value: String)] {
    var variables: [(name: String, value: String)] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      var line = line.drop { $0 == " " || $0 == "\t" }
      guard let first = line.first, first != "#" else { continue }
      if line.hasPrefix("export ") { line = line.dropFirst("export ".count) }
      let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, isName(halves[0]), !line.contains("\0") else {
        throw AtRestError.invalid(
          "Line \(index + 1) of \(path) is not NAME=value.", remedy: "Correct the line.")
      }
      variables.append((String(halves[0]), unquoted(halves[1])))
    }
    return variables
  }

  /// Returns true for the name of a variable: letters, digits and underscores, without a digit at
  /// the beginning.
  static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
    return text.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (48...57).contains($0) || (65...90).contains($0 & 0xDF)
    }
  }

  private static func unquoted(_ text: Substring) -> String {
    for quote in ["\"", "'"] where text.count >= 2 && text.hasPrefix(quote) && text.hasSuffix(quote)
    {
      return String(text.dropFirst().dropLast())
    }
    return String(text)
  }
}
