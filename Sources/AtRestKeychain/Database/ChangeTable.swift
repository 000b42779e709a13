import Foundation

/// Writes the rows of the table of changes, each with a copy, and reads the copies.
///
/// The copy of change *n* is row -*n*, so it is in another page than the change once there are many.
///
/// Use it only while holding the connection's lock.
final class ChangeTable {
  private let upsert: PreparedStatement
  private let removeRows: PreparedStatement
  private let removeCopies: PreparedStatement
  private let selectCopies: PreparedStatement

  init(_ session: SessionStatements) throws {
    upsert = try session.statement(
      "INSERT OR REPLACE INTO change (id, box) VALUES (?1, ?2), (-?1, ?2)")
    removeRows = try session.statement("DELETE FROM change WHERE id > ?")
    removeCopies = try session.statement("DELETE FROM change WHERE id < -?")
    selectCopies = try session.statement(
      "SELECT id, box FROM change WHERE id < -? ORDER BY id DESC")
  }

  func insert(_ number: UInt64, _ box: Data) throws {
    try upsert.run(.integer(Int64(bitPattern: number)), .blob(box))
  }

  /// Removes the changes after a number, and their copies.
  func remove(after number: UInt64) throws {
    try removeRows.run(.integer(Int64(bitPattern: number)))
    try removeCopies.run(.integer(Int64(bitPattern: number)))
  }

  /// Calls a closure with the copy of each change after a number, in order, until it returns false.
  func forEachCopy(
    after number: UInt64, _ body: (UInt64, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    try selectCopies.run(.integer(Int64(bitPattern: number))) { row in
      let id = row.integer(0)
      guard id != .min, id < 0 else { return false }
      return try body(UInt64(-id), row.bytes(1))
    }
  }
}
