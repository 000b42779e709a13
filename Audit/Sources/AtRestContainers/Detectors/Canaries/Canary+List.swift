import AtRestFormats
import Foundation

extension Canary {
  /// The canaries of a list in UTF-8: one a line, `name=value` or the value alone; `#` begins a comment.
  ///
  /// A name has letters, digits, `_`, `-` and `.` only; without one the canary is called after its line.
  ///
  /// - Throws: ``FormatError`` with the line if a value is too short or too long; if the list is no
  ///   text, holds none, or more than 1,000.
  public static func list(_ bytes: [UInt8]) throws(FormatError) -> [Canary] {
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      throw FormatError("The list of canaries is no text in UTF-8.")
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
    guard canaries.count <= 1000 else { throw FormatError("These are more than 1000 canaries.") }
    return canaries
  }

  private static func named(_ entry: String) -> (String, String)? {
    guard let equals = entry.firstIndex(of: "="), equals > entry.startIndex else { return nil }
    let name = entry[..<equals]
    let isName = name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "_-.".utf8.contains($0) }
    return isName ? (String(name), String(entry[entry.index(after: equals)...])) : nil
  }
}
