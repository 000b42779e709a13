import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Reads and writes sealed rows inside a transaction of the database.
struct Transaction {
  let connection: any DatabaseConnection
  let store: KeyServerStore
  /// The time of the transaction, in milliseconds since 1970.
  let now: Int64

  private static let columns = "id, owner, time, edition, sealed"

  // MARK: One row

  /// Returns a row, or nil if it does not exist.
  ///
  /// - Parameter locked: True to keep other transactions from reading the row with `locked` until
  ///   this one ends.
  func row(_ table: Table, _ id: Data, locked: Bool = false) throws -> Row? {
    let sql =
      "SELECT \(Self.columns) FROM \(table.name) WHERE id = $1"
      + (locked ? connection.lockClause : "")
    guard let values = try connection.run(sql, [.bytes(id)]).first else { return nil }
    return try open(values, table)
  }

  private func open(_ values: [DatabaseValue], _ table: Table) throws -> Row {
    let id = values[0].bytes
    let owner = values[1].bytes
    let time = values[2].integer
    let edition = values[3].integer
    return Row(
      id: id, owner: owner, time: time, edition: edition,
      contents: SecretHolder(
        try store.keys.open(
          values[4].bytes, table, id: id, owner: owner, time: time, edition: edition)))
  }

  /// Inserts a row. Returns false if another row has its identifier.
  @discardableResult
  func insert(
    _ table: Table, id: Data, owner: Data, contents: borrowing SecretBytes, time: Int64? = nil
  ) throws -> Bool {
    let time = time ?? now
    let box = try store.keys.seal(contents, table, id: id, owner: owner, time: time, edition: 1)
    return try !connection.run(
      """
      INSERT INTO \(table.name) (\(Self.columns)) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (id) DO NOTHING RETURNING edition
      """, [.bytes(id), .bytes(owner), .integer(time), .integer(1), .bytes(box)]
    ).isEmpty
  }

  /// Replaces the contents of a row that this transaction read.
  func update(_ table: Table, _ row: Row, contents: borrowing SecretBytes) throws {
    let edition = row.edition + 1
    let box = try store.keys.seal(
      contents, table, id: row.id, owner: row.owner, time: row.time, edition: edition)
    let updated = try connection.run(
      """
      UPDATE \(table.name) SET edition = $1, sealed = $2 WHERE id = $3 AND edition = $4
      RETURNING edition
      """, [.integer(edition), .bytes(box), .bytes(row.id), .integer(row.edition)])
    guard !updated.isEmpty else {
      throw DatabaseError(kind: .collision, message: "A row was changed meanwhile.")
    }
  }

  func delete(_ table: Table, _ id: Data) throws {
    _ = try connection.run(
      "DELETE FROM \(table.name) WHERE id = $1 RETURNING edition", [.bytes(id)])
  }

  // MARK: Several rows

  /// Calls a closure with each row, or with each row of an owner, in the order of the identifiers.
  func forEach(
    _ table: Table, owner: Data? = nil, _ body: (Row) throws -> Void
  ) throws {
    var last = Data()
    while true {
      let condition = owner == nil ? "id > $1" : "id > $1 AND owner = $2"
      let rows = try connection.run(
        "SELECT \(Self.columns) FROM \(table.name) WHERE \(condition) ORDER BY id LIMIT 500",
        [.bytes(last)] + (owner.map { [.bytes($0)] } ?? []))
      for values in rows { try body(open(values, table)) }
      guard rows.count == 500, let values = rows.last else { return }
      last = values[0].bytes
    }
  }

  /// Deletes the rows of an owner.
  func deleteAll(_ table: Table, owner: Data) throws {
    _ = try connection.run(
      "DELETE FROM \(table.name) WHERE owner = $1 RETURNING edition", [.bytes(owner)])
  }
}
