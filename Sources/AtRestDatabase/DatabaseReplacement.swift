import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation
import GRDB

/// The replacement of a database by a copy under another key.
struct DatabaseReplacement {
  let source: DatabaseOpening
  let format: DatabaseFormat

  /// Replaces the database.
  ///
  /// - Parameters:
  ///   - key: Returns the new key. It is called while the database is locked.
  ///   - finally: Called with the new key when the new file is in place.
  func run(
    key: () throws -> DatabaseKey, finally: (DatabaseKey) throws -> Void = { _ in }
  ) throws {
    let url = source.url
    try source.open(Configuration(), isCopied: true) { path, configuration in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let mode = try lock(queue)
      do {
        // The file whose lock is held. Until it is overwritten, others could go on with it.
        let old = try DatabaseFile(url, format: source.format, writes: true)
        let newKey = try key()
        let target = try DatabaseOpening(url.temporaryNeighbour(), newKey, format)
        try DatabaseCopy(source: .encrypted(source), target: .encrypted(target))
          .write(from: queue, as: url, replacing: predecessor(old))
        try setMode(mode, of: target)
        try replace(url, by: target.url)
        if source.format.isAtRest, !format.isAtRest {
          SystemPath.remove(StateFile.url(of: url).path)
        }
        try old.invalidate()
        try finally(newKey)
      } catch {
        if mode == "wal", !source.format.isAtRest { try? setMode(mode, queue) }
        throw error
      }
      try? queue.close()
    }
  }

  /// The state of the copy follows that of the original and the counter, so that neither refuses it.
  private func predecessor(_ file: DatabaseFile) throws -> DatabaseCopy.Predecessor {
    var sequence = try source.key.stateCounter?.value() ?? 0
    if let cipher = try source.cipher(of: file) as? AtRestPageCipher {
      sequence = max(sequence, try StateFile(of: source.url, cipher: cipher).read().state.sequence)
    }
    return DatabaseCopy.Predecessor(salt: file.salt, sequence: sequence + 1)
  }

  /// Locks the database until the connection is closed, and empties its log. Returns its journal mode.
  private func lock(_ queue: DatabaseQueue) throws -> String {
    try queue.writeWithoutTransaction { db in
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? ""
      if source.format.isAtRest {
        // It stays in WAL mode. The log is empty afterwards, so that the file is the whole database.
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        let code = atrest_database_lock(UnsafeMutableRawPointer(db.sqliteConnection))
        guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return mode
      }
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // In WAL mode, this fails if there is another connection.
      if mode == "wal" { try db.execute(sql: "PRAGMA journal_mode = DELETE") }
      try db.inTransaction(.exclusive) { .commit }
      return mode
    }
  }

  /// Gives the copy the journal mode of the original.
  private func setMode(_ mode: String, of target: DatabaseOpening) throws {
    guard mode == "wal", !format.isAtRest else { return }
    try target.open(Configuration()) { path, configuration in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try setMode(mode, queue)
      try queue.close()
    }
    try target.url.synchronize()
  }

  private func setMode(_ mode: String, _ queue: DatabaseQueue) throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
  }

  private func replace(_ url: URL, by copy: URL) throws {
    do {
      guard let status = SystemPath.status(url.path),
        SystemPath.with(copy.path, { chmod($0, status.st_mode & 0o7777) }) == 0,
        SystemPath.rename(copy.path, to: url.path)
      else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
      try url.deletingLastPathComponent().synchronize()
    } catch {
      SystemPath.remove(copy.path)
      throw AtRestError(
        .system, "The database \(url.path) could not be replaced.",
        remedy: "Check the permissions of its folder. Nothing was modified.", cause: error)
    }
  }
}
