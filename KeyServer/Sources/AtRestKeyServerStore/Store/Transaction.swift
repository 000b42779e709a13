import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Reads and writes sealed rows inside a transaction of the database.
struct Transaction {
  let connection: any DatabaseConnection
  let store: KeyServerStore
  /// The keys of the rows. A rotation waits for the transactions that use the former ones.
  let keys: RowKeys
  /// The time of the transaction, in milliseconds since 1970.
  let now: Int64
  let changes = RowChanges()

  // MARK: One row

  /// Returns a row, or nil if it does not exist.
  ///
  /// - Parameter locked: True to keep other transactions from reading the row with `locked` until
  ///   this one ends.
  /// - Throws: ``AtRestError/Code/rolledBack`` if the row was put back, or removed, behind the
  ///   server's back.
  func row(_ table: Table, _ id: Data, locked: Bool = false) throws -> Row? {
    let statement = Row.select(table, id, lock: locked ? connection.lockClause : "")
    let sealed = try connection.run([statement])[0].first.map { Row.Sealed($0) }
    try check(table, id, sealed?.stamp)
    return try sealed?.opened(table, keys)
  }

  /// Inserts a row. Returns false if another row has its identifier.
  @discardableResult
  func insert(
    _ table: Table, id: Data, owner: Data, contents: borrowing SecretBytes, time: Int64? = nil
  ) throws -> Bool {
    let stamp = table.isLogged ? Row.randomStamp() : 0
    let statement = try Row.insert(
      table, id: id, owner: owner, contents: contents, time: time ?? now, stamp: stamp, keys)
    guard try !connection.run([statement])[0].isEmpty else { return false }
    if table.isLogged { changes.add(table, id, former: nil, stamp: stamp) }
    return true
  }

  /// Replaces the contents of a row that this transaction read.
  func update(_ table: Table, _ row: Row, contents: borrowing SecretBytes) throws {
    let stamp = table.isLogged ? Row.randomStamp() : row.stamp
    let statement = try row.update(table, contents: contents, stamp: stamp, keys)
    guard try !connection.run([statement])[0].isEmpty else {
      throw DatabaseError(kind: .collision, message: "A row was changed meanwhile.")
    }
    if table.isLogged { changes.add(table, row.id, former: row.stamp, stamp: stamp) }
  }

  func delete(_ table: Table, _ id: Data) throws {
    try delete(table, where: "id = $1", .bytes(id))
  }

  /// Deletes the rows that a condition with one value names.
  func delete(_ table: Table, where condition: String, _ value: DatabaseValue) throws {
    let removed = try connection.run(
      "DELETE FROM \(table.name) WHERE \(condition) RETURNING id, stamp", [value])
    guard table.isLogged else { return }
    for row in removed {
      changes.add(table, row[0].bytes, former: row[1].integer, stamp: nil)
    }
  }

  // MARK: Several rows

  /// Returns up to 500 rows after an identifier, in the order of the identifiers.
  func page(_ table: Table, after last: Data) throws -> [Row] {
    try connection.run(
      "SELECT \(Row.Sealed.columns) FROM \(table.name) WHERE id > $1 ORDER BY id LIMIT 500",
      [.bytes(last)]
    ).map { try Row.Sealed($0).opened(table, keys) }
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
      for values in rows { try body(Row.Sealed(values).opened(table, keys)) }
      guard rows.count == 500, let values = rows.last else { return }
      last = values[0].bytes
    }
  }

  /// Deletes the rows of an owner.
  func deleteAll(_ table: Table, owner: Data) throws {
    try delete(table, where: "owner = $1", .bytes(owner))
  }
}
