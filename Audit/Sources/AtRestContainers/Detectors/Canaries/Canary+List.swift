import AtRestFormats
import Foundation

extension Canary {
  /// Reads a list of canaries in UTF-8: one per line, as `name=value` or only the value. `#` begins
  /// a comment.
  ///
  /// A name consists of letters, digits, `_`, `-` and `.`. A canary without a name is named after
  /// its line.
  ///
  /// - Throws: ``FormatError`` if a value is too short or too long (the message names its line), or
  ///   if the list is not UTF-8 text, is empty, or has more than 1,000 canaries.
  public static func list(_ bytes: [UInt8]) throws(FormatError) -> [Canary] {
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      throw FormatError("The list of canaries is not UTF-8 text.")
    }
    var canaries: [Canary] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let entry = line.trimmingCharacters(in: .whitespaces.union(["\u{FEFF}"]))
      if entry.isEmpty || entry.hasPrefix("#") { continue }
      let (name, value) = named(entry) ?? ("line \(index + 1)", entry)
      do {
        canaries.append(try Canary(name: name, value: value))
      } catch {
        throw FormatError("Line \(index + 1): \(error.message)")
      }
    }
    guard !canaries.isEmpty else { throw FormatError("The list of canaries is empty.") }
    guard canaries.count <= 1000 else { throw FormatError("The list has more than 1000 canaries.") }
    return canaries
  }

  private static func named(_ entry: String) -> (String, String)? {
    guard let equals = entry.firstIndex(of: "="), equals > entry.startIndex else { return nil }
    let name = entry[..<equals]
    let isName = name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "_-.".utf8.contains($0) }
    return isName ? (String(name), String(entry[entry.index(after: equals)...])) : nil
  }
}
