import Foundation

/// The statements, index and changes of one connection. This last layer above SQLite writes a row
/// with its entry and terms, and reads rows without checking them.
///
/// Use it only while holding the connection's lock.
final class Session {
  let statements: SessionStatements
  let index: ItemIndex
  let hashes: KeyedHashes
  /// Reads only the columns that a secret needs, because SQLite would copy the others.
  let selectSecret: PreparedStatement
  private let select: PreparedStatement
  private let insert: PreparedStatement
  private let delete: PreparedStatement
  /// The term of the items whose own terms are unknown, because the items were locked or damaged
  /// during a repair.
  let unknownTerm: UInt64
  /// The changes to report when the transaction is durable.
  var changes: [KeychainChange] = []

  init(_ statements: SessionStatements, index: ItemIndex, hashes: KeyedHashes) throws {
    self.statements = statements
    self.index = index
    self.hashes = hashes
    unknownTerm = try hashes.unknownTerm()
    select = try statements.statement("SELECT \(ItemRow.columns) FROM item WHERE id = ?")
    selectSecret = try statements.statement(
      "SELECT generation, scope, info, key, secret FROM item WHERE id = ?")
    insert = try statements.statement(
      "INSERT OR REPLACE INTO item (\(ItemRow.columns)) VALUES (?,?,?,?,?,?,?,?,?)")
    delete = try statements.statement("DELETE FROM item WHERE id = ?")
  }

  /// Returns the row with a number as it is in the table, without a check against the index.
  func row(id: Int64) throws -> ItemRow? {
    var row: ItemRow?
    try select.run(.integer(id)) { statement in
      row = ItemRow(statement)
      return false
    }
    return row
  }

  /// Calls a closure with every row as it is in the table, without a check against the index.
  func forEachRow(_ body: (ItemRow) throws -> Void) throws {
    try statements.statement("SELECT \(ItemRow.columns) FROM item ORDER BY id").run { statement in
      try body(ItemRow(statement))
      return true
    }
  }

  /// Writes a row, its entry and its terms.
  ///
  /// - Parameter former: The former terms of the item, computed from its metadata.
  func write(_ row: ItemRow, former: [UInt64] = []) throws {
    try store(row)
    try index.set(row.entry)
    var former = former
    if try index.names(unknownTerm, row.entry.key) {
      index.set(unknownTerm, names: row.entry.key, false)
      former = []
    }
    for term in former where !row.terms.contains(term) {
      index.set(term, names: row.entry.key, false)
    }
    for term in row.terms where !former.contains(term) {
      index.set(term, names: row.entry.key, true)
    }
  }

  /// Replaces the row of an item. If the primary key changed, moves the index entry.
  ///
  /// - Parameter former: The former terms of the item, computed from its metadata.
  func replace(_ row: ItemRow, with new: ItemRow, former: [UInt64]) throws {
    guard new.hash != row.hash else { return try write(new, former: former) }
    for term in former { index.set(term, names: row.entry.key, false) }
    try index.remove(row.entry.key)
    try write(new)
  }

  /// Writes a row without changing its index entry.
  func store(_ row: ItemRow) throws {
    defer { insert.reset() }
    try insert.bind(1, row.id)
    try row.hash.withUnsafeBytes { try insert.bind(2, $0) }
    try insert.bind(3, Int64(bitPattern: row.generation))
    try insert.bind(4, row.scope)
    try insert.bind(5, row.info.rawValue)
    try row.terms.map(\.bigEndian).withUnsafeBytes { try insert.bind(6, $0) }
    try row.wrappedKey.withUnsafeBytes { try insert.bind(7, $0) }
    try row.metadata.withUnsafeBytes { try insert.bind(8, $0) }
    try row.secret.withUnsafeBytes { try insert.bind(9, $0) }
    _ = try insert.step()
  }

  /// Removes an item, even if its row is missing or damaged.
  func remove(_ entry: IndexEntry) throws {
    if let row = try row(id: entry.id), row.entry.key == entry.key {
      for term in row.terms { index.set(term, names: entry.key, false) }
    }
    if try index.names(unknownTerm, entry.key) {
      index.set(unknownTerm, names: entry.key, false)
    }
    try delete.run(.integer(entry.id))
    try index.remove(entry.key)
  }
}
