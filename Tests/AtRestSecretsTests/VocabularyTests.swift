import AtRestSecrets
import Foundation
import Testing

/// Names that somebody collected who did not know the tables of words.
@Suite struct VocabularyTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var form: String
    var kind: SensitiveKind?

    var testDescription: String { name }

    var found: SensitiveKind? {
      switch form {
      case "key": SensitiveKind.ofKey(name)
      case "field": SensitiveKind.ofField(name) ?? SensitiveKind.ofCaption(name)
      default: SensitiveKind.ofName(name)
      }
    }
  }

  private static func rows(_ file: String) throws -> [Row] {
    let url = try #require(
      Bundle.module.url(forResource: file, withExtension: "tsv", subdirectory: "Fixtures"))
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
      let columns = line.split(separator: "\t").map(String.init)
      return Row(
        name: columns[0], form: columns[1],
        kind: columns.count > 2 ? SensitiveKind(rawValue: columns[2]) : nil)
    }
  }

  @Test func sensitiveNamesAreRecognised() throws {
    let rows = try Self.rows("sensitive")
    #expect(rows.count >= 300)
    for row in rows { #expect(row.found == row.kind, "\(row.name) (\(row.form))") }
  }

  @Test func namesThatOnlyContainAWordAreNot() throws {
    let rows = try Self.rows("harmless")
    #expect(rows.count >= 300)
    for row in rows { #expect(row.found == nil, "\(row.name) (\(row.form))") }
  }

  /// A key has the same meaning in code and in a container, except that a container can also look at
  /// the value.
  @Test func codeAndContainersAgree() throws {
    for row in try Self.rows("sensitive") + Self.rows("harmless") where row.form == "key" {
      guard let name = SensitiveName(key: row.name), name.strength != .vague else {
        #expect(row.found == nil || row.found == .token, "\(row.name)")
        continue
      }
      #expect(row.found == name.kind.sensitivity, "\(row.name)")
    }
  }
}
