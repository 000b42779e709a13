import AtRestCrypto
import Foundation

/// The statements, index and changes of one connection. This last layer above SQLite writes a row
/// with its entry and terms, and reads rows without checking them.
///
/// Use it only while holding the connection's lock.
final class Session {
  let statements: SessionStatements
  let index: ItemIndex
  let hashes: KeyedHashes
  private let termKeys: IndexKeys
  /// Reads only the columns that a secret needs, because SQLite would copy the others.
  let selectSecret: PreparedStatement
  private let select: PreparedStatement
  private let insert: PreparedStatement
  private let delete: PreparedStatement
  /// The term of the items whose own terms were damaged during a repair.
  let unknownTerm: UInt64
  /// The changes to report when the transaction is durable.
  var changes: [KeychainChange] = []

  init(
    _ statements: SessionStatements, index: ItemIndex, hashes: KeyedHashes, termKeys: IndexKeys
  ) throws {
    self.statements = statements
    self.index = index
    self.hashes = hashes
    self.termKeys = termKeys
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

  /// Returns the terms of a row.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if they were modified.
  func terms(of row: ItemRow) throws -> ItemTerms {
    let words = try row.terms.withUnsafeBytes {
      try termKeys.open(
        $0, row.generation, row.context(.terms), name: "The terms of item \(row.id)")
    }
    guard let terms = ItemTerms(words) else {
      throw AtRestError.damaged(
        "The terms of item \(row.id) are malformed.",
        remedy: "Repair the keychain (atrest repair).")
    }
    return terms
  }

  /// Seals the terms of a row, whose number, hash, transaction, group and info are final.
  func seal(_ terms: ItemTerms, into row: inout ItemRow) throws {
    row.terms = try termKeys.seal(terms.words, row.generation, row.context(.terms))
  }

  /// Seals the terms of an item again if they were modified.
  func repair(_ terms: ItemTerms, of row: ItemRow) throws {
    if let found = try? self.terms(of: row), found.words == terms.words { return }
    // A repair holds rows without their secrets.
    guard var whole = try self.row(id: row.id) else { return }
    try seal(terms, into: &whole)
    try store(whole)
  }

  /// Writes a row, its entry and its terms.
  ///
  /// - Parameters:
  ///   - terms: The terms of the row by which the index finds it.
  ///   - former: The former terms of the item by which the index finds it.
  func write(_ row: ItemRow, terms: [UInt64], former: [UInt64] = []) throws {
    try store(row)
    try index.set(row.entry)
    var former = former
    if try index.names(unknownTerm, row.entry.key) {
      index.set(unknownTerm, names: row.entry.key, false)
      former = []
    }
    for term in former where !terms.contains(term) {
      index.set(term, names: row.entry.key, false)
    }
    for term in terms where !former.contains(term) {
      index.set(term, names: row.entry.key, true)
    }
  }

  /// Replaces the row of an item. If the primary key changed, moves the index entry.
  ///
  /// - Parameters:
  ///   - terms: The terms of the new row by which the index finds it.
  ///   - former: The terms of the former row by which the index finds it.
  func replace(
    _ row: ItemRow, with new: ItemRow, terms: [UInt64], former: [UInt64]
  ) throws {
    guard new.hash != row.hash else { return try write(new, terms: terms, former: former) }
    for term in former { index.set(term, names: row.entry.key, false) }
    try index.remove(row.entry.key)
    try write(new, terms: terms)
  }

  /// Writes a row without changing its index entry.
  func store(_ row: ItemRow) throws {
    defer { insert.reset() }
    try insert.bind(1, row.id)
    try row.hash.withUnsafeBytes { try insert.bind(2, $0) }
    try insert.bind(3, Int64(bitPattern: row.generation))
    try insert.bind(4, row.scope)
    try insert.bind(5, row.info.rawValue)
    try row.terms.withUnsafeBytes { try insert.bind(6, $0) }
    try row.wrappedKey.withUnsafeBytes { try insert.bind(7, $0) }
    try row.metadata.withUnsafeBytes { try insert.bind(8, $0) }
    try row.secret.withUnsafeBytes { try insert.bind(9, $0) }
    _ = try insert.step()
  }

  /// Removes an item, even if its row is missing or damaged.
  func remove(_ entry: IndexEntry) throws {
    if let row = try row(id: entry.id), row.entry == entry, let terms = try? terms(of: row) {
      for term in terms.indexed { index.set(term, names: entry.key, false) }
    } else {
      // A term that stays would name the next item with this primary key.
      try index.removeTerms(of: entry.key)
    }
    if try index.names(unknownTerm, entry.key) {
      index.set(unknownTerm, names: entry.key, false)
    }
    try delete.run(.integer(entry.id))
    try index.remove(entry.key)
  }
}
