import AtRestCrypto
import Foundation

/// A row whose contents were opened.
struct Row: Sendable {
  let id: Data
  let owner: Data
  let time: Int64
  let edition: Int64
  /// A random number that each change of the row draws anew, if the change is in the audit log.
  let stamp: Int64
  let contents: SecretHolder

  /// A row as it is in the database.
  struct Sealed: Sendable {
    static let columns = "id, owner, time, edition, stamp, sealed"

    let id: Data
    let owner: Data
    let time: Int64
    let edition: Int64
    let stamp: Int64
    let box: Data

    /// Reads the values of ``columns``.
    init(_ values: [DatabaseValue]) {
      id = values[0].bytes
      owner = values[1].bytes
      time = values[2].integer
      edition = values[3].integer
      stamp = values[4].integer
      box = values[5].bytes
    }

    func opened(_ table: Table, _ keys: RowKeys) throws -> Row {
      Row(
        id: id, owner: owner, time: time, edition: edition, stamp: stamp,
        contents: SecretHolder(
          try keys.open(
            box, table, id: id, owner: owner, time: time, edition: edition, stamp: stamp)))
    }
  }

  /// The statement that returns one row.
  ///
  /// - Parameter lock: The clause that locks the row, or nothing.
  static func select(_ table: Table, _ id: Data, lock: String = "") -> Statement {
    Statement("SELECT \(Sealed.columns) FROM \(table.name) WHERE id = $1" + lock, [.bytes(id)])
  }

  /// The statement that returns the row with an identifier, or else the next one. It does the same
  /// work in both cases, so its time does not show whether a row exists.
  static func selectFirst(_ table: Table, from id: Data) -> Statement {
    Statement(
      "SELECT \(Sealed.columns) FROM \(table.name) WHERE id >= $1 ORDER BY id LIMIT 1",
      [.bytes(id)])
  }

  /// A number for a row that was changed.
  static func randomStamp() -> Int64 { Int64.random(in: 1 ... .max) }

  /// The statement that inserts a row if no other one has its identifier.
  static func insert(
    _ table: Table, id: Data, owner: Data, contents: borrowing SecretBytes, time: Int64,
    stamp: Int64 = 0, _ keys: RowKeys
  ) throws -> Statement {
    let box = try keys.seal(
      contents, table, id: id, owner: owner, time: time, edition: 1, stamp: stamp)
    return Statement(
      """
      INSERT INTO \(table.name) (\(Sealed.columns)) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (id) DO NOTHING RETURNING edition
      """,
      [
        .bytes(id), .bytes(owner), .integer(time), .integer(1), .integer(stamp), .bytes(box),
      ])
  }

  /// The statement that replaces the contents of this row.
  ///
  /// - Parameter stamp: The stamp for a change that is in the audit log. nil keeps the former one.
  func update(
    _ table: Table, contents: borrowing SecretBytes, stamp: Int64? = nil, _ keys: RowKeys
  ) throws -> Statement {
    let stamp = stamp ?? self.stamp
    let box = try keys.seal(
      contents, table, id: id, owner: owner, time: time, edition: edition + 1, stamp: stamp)
    return Statement(
      """
      UPDATE \(table.name) SET edition = $1, stamp = $2, sealed = $3 WHERE id = $4 AND edition = $5
      RETURNING edition
      """,
      [.integer(edition + 1), .integer(stamp), .bytes(box), .bytes(id), .integer(edition)])
  }
}
