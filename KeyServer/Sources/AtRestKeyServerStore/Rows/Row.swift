import AtRestCrypto
import Foundation

/// A row whose contents were opened.
struct Row: Sendable {
  let id: Data
  let owner: Data
  let time: Int64
  let edition: Int64
  let contents: SecretHolder

  /// A row as it is in the database.
  struct Sealed: Sendable {
    static let columns = "id, owner, time, edition, sealed"

    let id: Data
    let owner: Data
    let time: Int64
    let edition: Int64
    let box: Data

    init(id: Data, owner: Data, time: Int64, edition: Int64, box: Data) {
      self.id = id
      self.owner = owner
      self.time = time
      self.edition = edition
      self.box = box
    }

    /// Reads the values of ``columns``.
    init(_ values: [DatabaseValue]) {
      id = values[0].bytes
      owner = values[1].bytes
      time = values[2].integer
      edition = values[3].integer
      box = values[4].bytes
    }

    func opened(_ table: Table, _ keys: borrowing RowKeys) throws -> Row {
      Row(
        id: id, owner: owner, time: time, edition: edition,
        contents: SecretHolder(
          try keys.open(box, table, id: id, owner: owner, time: time, edition: edition)))
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

  /// The statement that inserts a row if no other one has its identifier.
  static func insert(
    _ table: Table, id: Data, owner: Data, contents: borrowing SecretBytes, time: Int64,
    _ keys: borrowing RowKeys
  ) throws -> Statement {
    let box = try keys.seal(contents, table, id: id, owner: owner, time: time, edition: 1)
    return Statement(
      """
      INSERT INTO \(table.name) (\(Sealed.columns)) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (id) DO NOTHING RETURNING edition
      """, [.bytes(id), .bytes(owner), .integer(time), .integer(1), .bytes(box)])
  }

  /// The statement that replaces the contents of this row.
  func update(
    _ table: Table, contents: borrowing SecretBytes, _ keys: borrowing RowKeys
  ) throws -> Statement {
    let box = try keys.seal(
      contents, table, id: id, owner: owner, time: time, edition: edition + 1)
    return Statement(
      """
      UPDATE \(table.name) SET edition = $1, sealed = $2 WHERE id = $3 AND edition = $4
      RETURNING edition
      """, [.integer(edition + 1), .bytes(box), .bytes(id), .integer(edition)])
  }
}
