import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Reads and writes sealed rows inside a transaction of the database.
struct Transaction {
  let connection: any DatabaseConnection
  let store: KeyServerStore
  /// The time of the transaction, in milliseconds since 1970.
  let now: Int64

  // MARK: One row

  /// Returns a row, or nil if it does not exist.
  ///
  /// - Parameter locked: True to keep other transactions from reading the row with `locked` until
  ///   this one ends.
  func row(_ table: Table, _ id: Data, locked: Bool = false) throws -> Row? {
    let statement = Row.select(table, id, lock: locked ? connection.lockClause : "")
    return try connection.run([statement])[0].first.map {
      try Row.Sealed($0).opened(table, store.keys)
    }
  }

  /// Inserts a row. Returns false if another row has its identifier.
  @discardableResult
  func insert(
    _ table: Table, id: Data, owner: Data, contents: borrowing SecretBytes, time: Int64? = nil
  ) throws -> Bool {
    let statement = try Row.insert(
      table, id: id, owner: owner, contents: contents, time: time ?? now, store.keys)
    return try !connection.run([statement])[0].isEmpty
  }

  /// Replaces the contents of a row that this transaction read.
  func update(_ table: Table, _ row: Row, contents: borrowing SecretBytes) throws {
    let statement = try row.update(table, contents: contents, store.keys)
    guard try !connection.run([statement])[0].isEmpty else {
      throw DatabaseError(kind: .collision, message: "A row was changed meanwhile.")
    }
  }

  func delete(_ table: Table, _ id: Data) throws {
    _ = try connection.run(
      "DELETE FROM \(table.name) WHERE id = $1 RETURNING edition", [.bytes(id)])
  }

  // MARK: Several rows

  /// Returns up to 500 rows after an identifier, in the order of the identifiers.
  func page(_ table: Table, after last: Data) throws -> [Row] {
    try connection.run(
      "SELECT \(Row.Sealed.columns) FROM \(table.name) WHERE id > $1 ORDER BY id LIMIT 500",
      [.bytes(last)]
    ).map { try Row.Sealed($0).opened(table, store.keys) }
  }

  /// Returns the number of rows of an owner.
  func count(_ table: Table, owner: Data) throws -> Int {
    let rows = try connection.run(
      "SELECT count(*) FROM \(table.name) WHERE owner = $1", [.bytes(owner)])
    return Int(rows.first?.first?.integer ?? 0)
  }

  /// Calls a closure with each row, or with each row of an owner, in the order of the identifiers.
  func forEach(
    _ table: Table, owner: Data? = nil, _ body: (Row) throws -> Void
  ) throws {
    var last = Data()
    while true {
      let condition = owner == nil ? "id > $1" : "id > $1 AND owner = $2"
      let rows = try connection.run(
        "SELECT \(Row.Sealed.columns) FROM \(table.name) WHERE \(condition) ORDER BY id LIMIT 500",
        [.bytes(last)] + (owner.map { [.bytes($0)] } ?? []))
      for values in rows { try body(Row.Sealed(values).opened(table, store.keys)) }
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
