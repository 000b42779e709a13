import AtRestCrypto
import CAtRestDatabase
import Foundation
import GRDB

/// The remains of a rekey that failed or was killed: its copy, the key of the copy, or the former key.
struct Leftovers {
  private let opening: DatabaseOpening
  private let cipher: PageCipher
  private let records: DatabaseKeyRecords?

  init(_ opening: DatabaseOpening, _ cipher: PageCipher, _ records: DatabaseKeyRecords?) {
    self.opening = opening
    self.cipher = cipher
    self.records = records
  }

  private var copy: URL { DatabaseDraft.url(.rekey, of: opening.url) }

  /// Removes the leftovers while no rekey can be running. If that fails, the next opening tries again:
  /// until then they are only of no use.
  func settle() {
    let hasCopy = (try? DatabaseFile.exists(copy)) ?? false
    let isUnsettled = records.map {
      $0.isUnsettled(cipher.salt, at: DatabaseKeyRecord.place(of: opening.url))
    }
    guard hasCopy || isUnsettled == true else { return }
    // A new file has replaced none, so nothing has to wait.
    if !hasCopy, records?[cipher.salt]?.isReplacement != true {
      try? settleNew()
      return
    }
    try? opening.open(Configuration(), settles: false) { path, configuration, cipher in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      // A read transaction has a lock of the file that a rekey waits for.
      try queue.read { db in
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        guard !db.hasMoved else { return }
        try remove(cipher)
      }
      try queue.close()
    }
  }

  /// Notes that a new file has its name, when that is durable.
  private func settleNew() throws {
    guard try DatabaseFile(opening.url, format: opening.format).recognizes(cipher) else { return }
    try opening.url.deletingLastPathComponent().synchronize()
    let place = DatabaseKeyRecord.place(of: opening.url)
    try opening.key.updateRecords { $0.settle(cipher.salt, at: place) }
  }

  /// Removes the leftovers of a database that the caller has locked.
  func remove(_ cipher: PageCipher) throws {
    // The file may have got its name by a rekey that was killed before the name was durable.
    try opening.url.deletingLastPathComponent().synchronize()
    try opening.key.settle(cipher.salt, at: opening.url)
    // The key of the copy goes first. If this is interrupted, the copy is left, which opens with no key.
    if let salt = try saltOfCopy(cipher) { try opening.key.updateRecords { $0.remove(salt) } }
    DatabaseDraft.remove(copy)
  }

  /// The salt of the record under which the copy is authentic, in any format, if it was to take the place of the
  /// file.
  private func saltOfCopy(_ cipher: PageCipher) throws -> Data? {
    guard try DatabaseFile.exists(copy), let records = try opening.key.records() else { return nil }
    let place = DatabaseKeyRecord.place(of: opening.url)
    let file = try DatabaseFile(copy, format: opening.format)
    let formats = [opening.format] + OtherFormat.all
    return try records.drafts(replacing: cipher.salt, at: place).first { record in
      try formats.contains { try file.recognizes(record.cipher(in: $0)) }
    }?.salt
  }
}

extension Database {
  /// True if the connection can write the database, and nobody else can use it.
  var hasExclusiveLock: Bool {
    atrest_database_has_exclusive_lock(UnsafeMutableRawPointer(sqliteConnection)) == 1
  }

  /// True if the file that the connection has open is no longer the one with its name.
  var hasMoved: Bool {
    atrest_database_has_moved(UnsafeMutableRawPointer(sqliteConnection)) == 1
  }
}
