import AtRestRedaction
import Foundation
import Testing

/// A registered secret is withheld in each encoding of the table that
/// `Scripts/make-redaction-fixture.py` writes.
@Suite struct EncodingTests {
  struct Row: Decodable, CustomTestStringConvertible {
    let name: String
    let secret: String
    let text: String
    var testDescription: String { name }
  }

  static let rows: [Row] = {
    let file = Bundle.module.url(
      forResource: "encodings", withExtension: "jsonl", subdirectory: "Fixtures")!
    let lines = try! String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return lines.map { try! JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
  }()

  private func redact(_ row: Row, knowing secret: String) throws -> String {
    let registry = SecretRegistry()
    try registry.register(secret)
    return Redactor(secrets: registry, patterns: []).redact("before \(row.text) after")
  }

  @Test func theTableHasSixtyEncodings() {
    #expect(Set(Self.rows.map(\.name)).count >= 60)
  }

  @Test(arguments: rows) func itIsWithheld(_ row: Row) throws {
    let text = try redact(row, knowing: row.secret)
    #expect(text.contains("[withheld]"))
    #expect(text.hasPrefix("before ") && text.hasSuffix(" after"))
    // What remains beside the mark is shorter than what surrounds the secret.
    let rest = text.dropFirst(7).dropLast(6).replacing("[withheld]", with: "")
    let surroundings = max(16, row.text.utf8.count - row.secret.utf8.count)
    #expect(rest.utf8.count <= surroundings && !rest.contains(row.secret))
  }

  /// Control: the same text stays if another secret is registered.
  @Test(arguments: rows) func otherTextStays(_ row: Row) throws {
    #expect(try redact(row, knowing: "another-secret-of-eva") == "before \(row.text) after")
  }
}
