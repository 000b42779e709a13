import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Synchronization

/// A file outside the database, in which one server records how recent the database is. It shows that
/// the database was restored from a backup.
///
/// The server raises a counter in a row of its own, and stores it in the file after the commit. A
/// database whose counter is lower than that in the file is older. What happened after the last
/// ``advance()`` is not covered, and neither are single rows that were put back. Safe to use from
/// several threads.
package final class DatabaseRecord: Sendable {
  private let store: KeyServerStore
  private let file: RecordFile
  private let contents: Mutex<RecordContents?>
  private let isRefused = Atomic(false)
  /// True if there was no file.
  package let isNew: Bool

  /// Opens a record. A file that does not exist is made by the first ``advance()``.
  ///
  /// - Parameter path: The path of the file. `path.lock` is made beside it, and locked as long as the
  ///   record is used.
  /// - Throws: ``AtRestError/Code/busy`` if another server uses the record;
  ///   ``AtRestError/Code/damaged``, also for a record of another database;
  ///   ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``.
  package convenience init(path: String, store: KeyServerStore) throws {
    let file = try RecordFile(path)
    let contents = try RecordContents(file, store)
    self.init(file, store, contents)
  }

  private init(_ file: consuming RecordFile, _ store: KeyServerStore, _ contents: RecordContents?) {
    self.store = store
    self.file = file
    self.contents = Mutex(contents)
    isNew = contents == nil
  }

  /// Replaces a record by a new one for the database as it is now, with an entry in the audit log. The
  /// former one is not read.
  ///
  /// - Throws: The errors of opening, except *damaged*.
  package static func acceptOlder(path: String, store: KeyServerStore) throws {
    let record = DatabaseRecord(try RecordFile(path), store, nil)
    try store.acceptTables()
    try record.advance()
  }

  /// True once ``advance()`` found an older or damaged database. It stays true.
  package var isDatabaseRefused: Bool { isRefused.load(ordering: .acquiring) }

  /// Calls ``advance()`` if the audit log has grown since the last call, as far as the server has seen.
  ///
  /// - Throws: The errors of ``advance()``.
  package func follow() throws {
    guard contents.withLock({ ($0?.auditNumber ?? 0) < store.seenEntries }) else { return }
    try advance()
  }

  /// Compares the database with the file, raises the counter, and stores it in both.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack`` if the database is older than the file;
  ///   ``AtRestError/Code/damaged`` if the counter or the end of the audit log was modified;
  ///   ``AtRestError/Code/keyServerOffline``; ``AtRestError/Code/notPermitted`` and
  ///   ``AtRestError/Code/system`` if the file cannot be written.
  package func advance() throws {
    try contents.withLock { contents in
      let former = contents ?? RecordContents()
      let present: RecordContents
      do {
        present = try store.transaction { try $0.advance(former, file.path) }
      } catch let error as AtRestError where [.rolledBack, .damaged].contains(error.code) {
        isRefused.store(true, ordering: .releasing)
        throw error
      }
      contents = present
      try file.write(present.sealed(store))
    }
  }
}

/// The contents of the file: `"ATKSR"` ‖ u8 version ‖ box, where the box holds bytes[16] server ‖
/// u64 counter ‖ u64 entries of the audit log ‖ bytes[32] code of the last entry ‖ u64 time. Its context
/// is what precedes it and the realm.
private struct RecordContents {
  /// The random number of the server, which is in the identifier of its row.
  var server = RandomBytes.data(count: Limits.identifier)
  var counter: UInt64 = 0
  var auditNumber: UInt64 = 0
  var auditChain = Data(count: 32)
  /// In milliseconds since 1970.
  var time: Int64 = 0

  private static let head = Data("ATKSR".utf8) + [2]

  init() {}

  /// Reads a record. Returns nil if the file does not exist.
  init?(_ file: borrowing RecordFile, _ store: KeyServerStore) throws {
    guard let data = try file.read() else { return nil }
    do {
      guard data.starts(with: Self.head) else { throw AtRestError(damaged: "") }
      let opened = try store.keys.openRecord(
        data.dropFirst(Self.head.count), context: Self.head + store.realm)
      try opened.withUnsafeBytes { bytes in
        var reader = MessageReader(bytes, name: file.path)
        server = try reader.fixed(Limits.identifier)
        counter = try reader.integer()
        auditNumber = try reader.integer()
        auditChain = try reader.fixed(32)
        time = try reader.integer()
      }
    } catch {
      throw AtRestError(
        .damaged, "The record \(file.path) is damaged, or belongs to another database.",
        remedy: "Restore it, or accept the database as it is with: "
          + "atrest-keyserver accept-older --record \(file.path).")
    }
  }

  func sealed(_ store: KeyServerStore) throws -> Data {
    var writer = MessageWriter()
    writer.fixed(server)
    writer.integer(counter)
    writer.integer(auditNumber)
    writer.fixed(auditChain)
    writer.integer(time)
    return try Self.head
      + store.keys.sealRecord(SecretBytes(writer.data), context: Self.head + store.realm)
  }
}

extension Transaction {
  /// Compares the database with a record, raises its counter, and returns what the record has to
  /// hold.
  fileprivate func advance(_ former: RecordContents, _ path: String) throws -> RecordContents {
    let state = try StateRecord(sealedState().opened(.state, keys))
    let id = Data("server ".utf8) + former.server
    let row = try row(.state, id, locked: true)
    let counter = try row.map(ServerRecord.init)?.counter ?? 0
    guard counter >= former.counter, try hasEntry(former, state) else {
      let date = Date(timeIntervalSince1970: Double(former.time) / 1000).ISO8601Format()
      let lacks =
        former.auditNumber > state.auditNumber
        ? "\(former.auditNumber - state.auditNumber) or more entries"
        : "no entries, but they are others, or its counter is lower"
      throw AtRestError(
        .rolledBack,
        "The database is older than it was on \(date), when this server used it last. Its audit "
          + "log lacks \(lacks).",
        remedy: "If it was restored from a backup, revoke again what was revoked since then, and "
          + "accept it with: atrest-keyserver accept-older --record \(path).")
    }
    // It may be higher, if the server ended between the commit and the writing of the file.
    var contents = former
    contents.counter = counter + 1
    (contents.auditNumber, contents.auditChain) = (state.auditNumber, state.auditChain)
    contents.time = now
    let record = ServerRecord(counter: contents.counter)
    if let row {
      try update(.state, row, contents: record.contents)
    } else {
      try insert(.state, id: id, owner: Data(), contents: record.contents)
    }
    return contents
  }

  /// True if the audit log has the last entry that the record knows.
  private func hasEntry(_ record: RecordContents, _ state: StateRecord) throws -> Bool {
    guard record.auditNumber > 0 else { return true }
    guard record.auditNumber <= state.auditNumber else { return false }
    let entry = try row(.audit, KeyServerStore.auditID(record.auditNumber)).map(AuditRecord.init)
    return entry?.chain == record.auditChain
  }
}
