import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB

/// Databases with a table of a few rows.
extension Scratch {
  func url(_ suffix: String) -> URL { folder.appendingPathComponent("notes.db\(suffix)") }

  /// Runs statements, each in a transaction, and closes the database, which copies the log into it.
  func run(_ statements: String..., key: DatabaseKey? = nil) throws {
    let queue = try EncryptedDatabase.openQueue(
      at: file, key: key ?? Self.rawKey(), creating: true)
    for statement in statements {
      try queue.writeWithoutTransaction { try $0.execute(sql: statement) }
    }
    try queue.close()
  }

  /// A table with rows of one page each.
  func fill(rows: Int = 5, key: DatabaseKey? = nil) throws {
    try run(
      "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c)",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) \
      INSERT INTO t SELECT i, 1, zeroblob(3000) FROM n
      """, key: key)
  }

  /// Returns the rows, or the code of the error.
  func rows(key: DatabaseKey? = nil) -> Result<[String], AtRestError> {
    do {
      let queue = try EncryptedDatabase.openQueue(
        at: file, key: key ?? Self.rawKey(), creating: true)
      let rows = try queue.read { try String.fetchAll($0, sql: "SELECT a || '=' || b FROM t") }
      try queue.close()
      return .success(rows)
    } catch let error as AtRestError {
      return .failure(error)
    } catch {
      return .failure(AtRestError(.damaged, "\(error)", remedy: ""))
    }
  }

  func refusal(key: DatabaseKey? = nil) -> AtRestError.Code? {
    if case .failure(let error) = rows(key: key) { error.code } else { nil }
  }

  func isIntact() throws -> Bool {
    try EncryptedDatabase.verify(at: file, key: Self.rawKey()).isIntact
  }

  /// Replaces the files of the database by others.
  func restore(_ files: [String: Data]) throws {
    for name in try contents().keys {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
    for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
  }

  /// Returns the files, with a log, of a process that was killed after statements.
  func contentsAfterCrash(
    _ statements: String..., mode: String = "wal"
  ) throws -> [String: Data] {
    let worker = try Worker(file)
    try worker.run("PRAGMA journal_mode = \(mode)")
    for statement in statements { try worker.run(statement) }
    worker.kill()
    return try contents()
  }
}
