import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation
import GRDB

/// Accepts a database in AtRest's format as it is: see `EncryptedDatabase.acceptOlder(at:key:)`.
struct DatabaseAcceptance {
  private let opening: DatabaseOpening
  private var url: URL { opening.url }

  init(_ opening: DatabaseOpening) { self.opening = opening }

  func run() throws {
    let file = try DatabaseFile(url, format: opening.format)
    guard let cipher = try opening.cipher(of: file) as? AtRestPageCipher,
      file.hasAuthenticPage(cipher)
    else {
      throw AtRestError(
        .authenticationFailed, "The key does not open the database \(url.path).",
        remedy: "Check the key or the passphrase. Nothing was modified.")
    }
    let log = LogFile(of: url, pageSize: cipher.format.pageSize)
    let states = StateFile(of: url, cipher: cipher)
    if (try? states.read()) == nil {
      // A log whose frames are authentic is recovered with the state in which it was begun.
      try restart(states, cipher, sequence: log.begun ?? 1)
    }
    do {
      try settle(states, cipher)
    } catch let error as AtRestError where [.rolledBack, .damaged].contains(error.code) {
      try setAside(log)
      try restart(states, cipher, sequence: (try? states.read().state.sequence) ?? 1)
      try settle(states, cipher)
    }
  }

  /// Describes the pages that the file has, without a log.
  private func restart(_ states: StateFile, _ cipher: AtRestPageCipher, sequence: UInt64) throws {
    var state = try NewDatabase.state(
      of: DatabaseFile(url, format: opening.format), cipher)
    state.sequence = max(1, sequence)
    try states.begin(state)
  }

  /// Opens the database, copies its log, and describes its pages anew while no other connection exists.
  private func settle(_ states: StateFile, _ cipher: AtRestPageCipher) throws {
    try opening.open(Configuration(), acceptsOlder: true) { path, configuration in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { db in
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        let code = atrest_database_lock(UnsafeMutableRawPointer(db.sqliteConnection))
        guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        let present = try states.read()
        var state = try NewDatabase.state(
          of: DatabaseFile(url, format: opening.format), cipher)
        state.sequence = max(present.state.sequence, 1) + 1
        state.epoch = present.state.epoch
        state.sealedCount = present.state.sealedCount
        try states.write(state, after: present.block)
        try opening.key.stateCounter?.set(state.sequence)
      }
      try queue.close()
    }
  }

  private func setAside(_ log: LogFile) throws {
    let folder = url.deletingLastPathComponent()
    let index = folder.appendingPathComponent(url.lastPathComponent + "-shm")
    let refused = folder.appendingPathComponent(log.url.lastPathComponent + "-refused")
    let isLogGone =
      try !DatabaseFile.exists(log.url) || SystemPath.rename(log.url.path, to: refused.path)
    guard isLogGone, try !DatabaseFile.exists(index) || SystemPath.remove(index.path) else {
      throw AtRestError(
        .system, "The log \(log.url.path) could not be renamed.",
        remedy: "Check the permissions of its folder.",
        cause: POSIXError(.init(rawValue: errno) ?? .EIO))
    }
    try folder.synchronize()
  }
}
