import AtRestCrypto
import Foundation
import GRDB

/// The replacement of a database by a copy under another key.
struct DatabaseReplacement {
  let source: DatabaseOpening
  let key: DatabaseKey
  let format: DatabaseFormat

  func run() throws {
    let url = source.url
    let suffix = RandomBytes.data(count: 4).map { String(format: "%02x", $0) }.joined()
    let copy = url.deletingLastPathComponent().appendingPathComponent(
      "\(url.lastPathComponent).new-\(ProcessInfo.processInfo.processIdentifier)-\(suffix)")
    let target = try DatabaseOpening(copy, key, format)
    let mode = try source.open(Configuration(), isCopied: true) { path, configuration in
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let mode = try lock(queue)
      try DatabaseCopy(source: .encrypted(source), target: .encrypted(target)).write(from: queue)
      try replace(url, by: copy)
      try queue.close()
      return mode
    }
    guard mode == "wal" else { return }
    try DatabaseOpening(url, key, format).open(Configuration()) { path, configuration in
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = wal") }
      try queue.close()
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

  private func replace(_ url: URL, by copy: URL) throws {
    let manager = FileManager.default
    do {
      let mode = try manager.attributesOfItem(atPath: url.path)[.posixPermissions]
      if let mode { try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: copy.path) }
      guard rename(copy.path, url.path) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
      }
      try url.deletingLastPathComponent().synchronize()
    } catch {
      try? manager.removeItem(at: copy)
      throw AtRestError(
        .system, "The database \(url.path) could not be replaced.",
        remedy: "Check the permissions of its folder. Nothing was modified.", cause: error)
    }
  }
}
