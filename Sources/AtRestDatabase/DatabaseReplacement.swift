import AtRestCrypto
import AtRestKeybag
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
          .write(from: queue)
        try setMode(mode, of: target)
        try replace(url, by: target.url)
        try old.invalidate()
        try finally(newKey)
      } catch {
        if mode == "wal" { try? setMode(mode, queue) }
        throw error
      }
      try? queue.close()
    }
  }

  /// Locks the database until the connection is closed, and empties its log. Returns its journal mode.
  private func lock(_ queue: DatabaseQueue) throws -> String {
    try queue.writeWithoutTransaction { db in
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? ""
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // In WAL mode, this fails if there is another connection.
      if mode == "wal" { try db.execute(sql: "PRAGMA journal_mode = DELETE") }
      try db.inTransaction(.exclusive) { .commit }
      return mode
    }
  }

  /// Gives the copy the journal mode of the original.
  private func setMode(_ mode: String, of target: DatabaseOpening) throws {
    guard mode == "wal" else { return }
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
