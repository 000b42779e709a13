import AtRestKeyServerProtocol
import Foundation

/// A digest of a table: how often it was changed, how many rows it has, and the exclusive or of a keyed
/// code of each row. A writer of the database sees none of it.
struct TableDigest: Equatable, Sendable {
  private(set) var edition: UInt64 = 0
  private(set) var count: UInt64 = 0
  private(set) var code = Data(count: 32)

  init() {}

  /// Adds a row.
  mutating func add(_ code: Data) {
    toggle(code)
    count &+= 1
  }

  /// Notes a change of a row: its code before, and its code after.
  mutating func change(from former: Data?, to code: Data?) {
    edition += 1
    if let former {
      toggle(former)
      count &-= 1
    }
    if let code { add(code) }
  }

  /// True if the rows are the same, however often they were changed.
  func hasSameRows(as other: TableDigest) -> Bool { count == other.count && code == other.code }

  /// Takes the rows of another digest, as a change.
  mutating func accept(_ rows: TableDigest) {
    guard !hasSameRows(as: rows) else { return }
    (count, code) = (rows.count, rows.code)
    edition += 1
  }

  private mutating func toggle(_ other: Data) {
    code = Data(zip(code, other).map { $0 ^ $1 })
  }

  init(reading reader: inout MessageReader) throws {
    edition = try reader.integer()
    count = try reader.integer()
    code = try reader.fixed(32)
  }

  func write(to writer: inout MessageWriter) {
    writer.integer(edition)
    writer.integer(count)
    writer.fixed(code)
  }
}
