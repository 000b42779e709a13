import AtRestContainers
import Foundation
import Testing

/// A value in a row has the time that the row says of itself.
@Suite struct RowTimeTests {
  private func time(_ column: String, _ value: DatabaseFile.Value) throws -> Double? {
    var database = DatabaseFile()
    database.add(
      table: "note", "CREATE TABLE note(text TEXT, \(column))",
      rows: [[.text("vq1-canary"), value]])
    let canary = try Canary(name: "1", value: "vq1-canary")
    let found = try ContainerScan(
      ContainerSource(files: ["a.db": Array(database.bytes)]), canaries: [canary]
    ).run()
      .discoveries.filter { if case .canary = $0.subject { true } else { false } }
    #expect(found.count == 1)
    return found.first?.recorded?.timeIntervalSince1970
  }

  @Test(arguments: [
    "created_at", "ZMODIFICATIONDATE", "updatedAt", "timestamp", "last_modified", "dateSent",
    "ZDATERECEIVED",
  ])
  func aColumnSaysWhen(_ column: String) throws {
    #expect(try time(column, .integer(1_700_000_000)) == 1_700_000_000)
  }

  /// A birthday, a counter or an identifier is no time of the row.
  @Test(arguments: ["birthday", "created_by", "sentCount", "updatedUserID", "due", "text2"])
  func otherColumnsDoNot(_ column: String) throws {
    #expect(try time(column, .integer(1_700_000_000)) == nil)
  }

  @Test(arguments: [
    (1_700_000_000, 1_700_000_000.0), (1_700_000_000_000, 1_700_000_000),
    (1_700_000_000_000_000, 1_700_000_000),
    (1_700_000_000_000_000_000, 1_700_000_000),
    // From 2001, in seconds and in billionths as in the database of Messages.
    (721_692_800, 1_700_000_000), (721_692_800_000_000_000, 1_700_000_000),
    // From 1601, as in Chromium.
    (13_344_473_600_000_000, 1_700_000_000),
  ])
  func numbersOfAllKindsAreRead(_ number: Int, _ expected: Double) throws {
    #expect(try time("created_at", .integer(number)) == expected)
  }

  @Test(arguments: ["2023-11-14T22:13:20Z", "2023-11-14 22:13:20", "2023-11-14T22:13:20.123Z"])
  func textsAreRead(_ text: String) throws {
    #expect(try time("created_at", .text(text)) == 1_700_000_000)
  }

  @Test func whatIsNoTimeIsNone() throws {
    for value: DatabaseFile.Value in [
      .integer(0), .integer(-1), .integer(12), .integer(.max), .integer(.min), .text(""),
      .text("yesterday at ten o'clock"),
      .text("2023-99-99T99:99:99Z"), .blob(Data([1, 2, 3])), .null,
    ] { #expect(try time("created_at", value) == nil, "\(value)") }
  }
}
