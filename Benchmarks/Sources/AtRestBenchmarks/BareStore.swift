import Crypto
import Foundation
import GRDBSQLite

/// SQLite through its C interface with prepared statements, and one AES-GCM box per row. This is
/// the minimum work of any encrypted store, with the pragmas of the keychain.
final class BareStore {
  /// The sizes of the keychain's columns for the items of these benchmarks.
  private static let metadata = Data(count: metadataSize)
  private static let metadataSize = 168
  private static let wrappedKey = Data(count: 40)

  let path: String
  private let database: OpaquePointer
  private let insert: OpaquePointer
  private let select: OpaquePointer
  private let updateByHash: OpaquePointer
  private let deleteByHash: OpaquePointer
  private let key = SymmetricKey(size: .bits256)
  private let box: Data
  /// The boxes for updates. SQLite does not write a page whose bytes would stay the same.
  private let boxes: [Data]

  init(_ path: String) throws {
    self.path = path
    var opened: OpaquePointer?
    // atrest:ignore plaintext-sqlite the values are sealed before they are stored
    try Self.check(sqlite3_open(path, &opened))
    guard let database = opened else { throw Failure(code: SQLITE_NOMEM) }
    self.database = database
    for sql in [
      "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA secure_delete = ON",
      "PRAGMA cache_size = -262144", "PRAGMA temp_store = MEMORY",
      """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, generation INTEGER NOT NULL,
        scope INTEGER NOT NULL, info INTEGER NOT NULL, key BLOB NOT NULL, metadata BLOB NOT NULL,
        secret BLOB NOT NULL)
      """,
    ] {
      try Self.check(sqlite3_exec(database, sql, nil, nil, nil))
    }
    insert = try Self.statement(
      database,
      "INSERT INTO item (hash, generation, scope, info, key, metadata, secret) "
        + "VALUES (?1, 1000000, \(Int64.max), 2562, ?2, ?3, ?4)")
    select = try Self.statement(
      database, "SELECT id, generation, key, secret FROM item WHERE hash = ?1")
    updateByHash = try Self.statement(
      database,
      "UPDATE item SET generation = generation + 1, metadata = ?2, secret = ?3 WHERE hash = ?1")
    deleteByHash = try Self.statement(database, "DELETE FROM item WHERE hash = ?1")
    let key = key
    box = try AES.GCM.seal(Sample.secret, using: key).combined ?? Data()
    boxes = try (0..<16).map { _ in
      try AES.GCM.seal(Sample.otherSecret, using: key).combined ?? Data()
    }
  }

  func close() {
    sqlite3_finalize(insert)
    sqlite3_finalize(select)
    sqlite3_finalize(updateByHash)
    sqlite3_finalize(deleteByHash)
    sqlite3_close(database)
  }

  /// Runs several writes, which become durable together.
  func transaction(_ body: () throws -> Void) throws {
    try Self.check(sqlite3_exec(database, "BEGIN", nil, nil, nil))
    try body()
    try Self.check(sqlite3_exec(database, "COMMIT", nil, nil, nil))
  }

  /// Inserts a row. Outside a transaction, the insertion is durable.
  func add(_ hash: Data) throws {
    defer { sqlite3_reset(insert) }
    Self.bind(insert, 1, hash)
    Self.bind(insert, 2, Self.wrappedKey)
    Self.bind(insert, 3, Self.metadata)
    Self.bind(insert, 4, box)
    try step(insert, changing: 1)
  }

  /// Replaces the metadata and secret of a row. Outside a transaction, the update is durable.
  ///
  /// - Parameter turn: A number that makes the bytes differ from the former ones.
  func update(_ hash: Data, turn: Int) throws {
    defer { sqlite3_reset(updateByHash) }
    var metadata = Data(capacity: Self.metadataSize)
    withUnsafeBytes(of: turn) { metadata.append(contentsOf: $0) }
    metadata.count = Self.metadataSize
    Self.bind(updateByHash, 1, hash)
    Self.bind(updateByHash, 2, metadata)
    Self.bind(updateByHash, 3, boxes[turn % boxes.count])
    try step(updateByHash, changing: 1)
  }

  /// Deletes a row. Outside a transaction, the deletion is durable.
  func delete(_ hash: Data) throws {
    defer { sqlite3_reset(deleteByHash) }
    Self.bind(deleteByHash, 1, hash)
    try step(deleteByHash, changing: 1)
  }

  private func step(_ statement: OpaquePointer, changing rows: Int32) throws {
    guard sqlite3_step(statement) == SQLITE_DONE, sqlite3_changes(database) == rows else {
      throw Failure(code: sqlite3_errcode(database))
    }
  }

  /// Selects a row and opens its box.
  func get(_ hash: Data) throws -> Data {
    defer { sqlite3_reset(select) }
    Self.bind(select, 1, hash)
    guard sqlite3_step(select) == SQLITE_ROW else {
      throw Failure(code: sqlite3_errcode(database))
    }
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(select, 3), count: Int(sqlite3_column_bytes(select, 3)))
    return try AES.GCM.open(AES.GCM.SealedBox(combined: bytes), using: key)
  }

  struct Failure: Error {
    let code: Int32
  }

  static func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }

  private static func statement(_ database: OpaquePointer, _ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(database, sql, -1, &statement, nil))
    guard let statement else { throw Failure(code: SQLITE_MISUSE) }
    return statement
  }

  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private static func bind(_ statement: OpaquePointer, _ index: Int32, _ data: Data) {
    _ = data.withUnsafeBytes {
      sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), transient)
    }
  }
}
