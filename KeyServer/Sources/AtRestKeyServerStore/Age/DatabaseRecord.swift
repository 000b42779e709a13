import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Synchronization

/// A file outside the database, in which one server remembers how far the database was. It shows when
/// an older copy of the database was put in its place.
///
/// The server raises a counter in a row of its own, and stores it in the file after the commit. A
/// database whose counter is lower than that in the file is older. What happened after the last
/// `advance()` is not covered. Safe to use from several threads.
package final class DatabaseRecord: Sendable {
  private let store: KeyServerStore
  private let file: RecordFile
  private let contents: Mutex<RecordContents?>
  private let isOutdated = Atomic(false)

  /// Opens a record. A file that does not exist is made by the first ``advance()``.
  ///
  /// - Parameter path: The path of the file. `path.lock` is made beside it, and locked as long as the
  ///   record is used.
  /// - Throws: ``AtRestError/Code/busy`` if another server uses the record;
  ///   ``AtRestError/Code/damaged``; ``AtRestError/Code/otherStore`` if it belongs to another
  ///   database; ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``.
  package convenience init(path: String, store: KeyServerStore) throws {
    let file = try RecordFile(path)
    let contents = try RecordContents(file, store)
    self.init(file, store, contents)
  }

  private init(_ file: consuming RecordFile, _ store: KeyServerStore, _ contents: RecordContents?) {
    self.store = store
    self.file = file
    self.contents = Mutex(contents)
  }

  /// Replaces a record by a new one for the database as it is now, and says so in the audit log. What
  /// was in the former one is not read.
  ///
  /// - Throws: The errors of opening, except *damaged* and *other store*.
  package static func acceptOlder(path: String, store: KeyServerStore) throws {
    let record = DatabaseRecord(try RecordFile(path), store, nil)
    try store.transaction { try $0.log("database accepted as it is, perhaps an older one") }
    try record.advance()
  }

  /// True once ``advance()`` found an older database. It stays true.
  package var foundOlderDatabase: Bool { isOutdated.load(ordering: .acquiring) }

  /// Compares the database with the file, raises the counter, and stores it in both.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack`` if the database is older than the file;
  ///   ``AtRestError/Code/keyServerOffline``; ``AtRestError/Code/system`` if the file cannot be
  ///   written.
  package func advance() throws {
    try contents.withLock { contents in
      let former = contents
      do {
        contents = try store.transaction { try $0.advance(former) }
      } catch let error as AtRestError where error.code == .rolledBack {
        isOutdated.store(true, ordering: .releasing)
        throw error
      }
      if let contents { try file.write(contents.sealed(store)) }
    }
  }
}

/// The contents of the file: `"ATKSR"` ‖ u8 version ‖ box, where the box holds bytes[16] server ‖
/// u64 counter ‖ u64 entries of the audit log ‖ u64 time. Its context is what precedes it and the
/// realm.
private struct RecordContents {
  /// The random number of the server, which its row in the database has.
  var server: Data
  var counter: UInt64
  var auditNumber: UInt64
  /// In milliseconds since 1970.
  var time: Int64

  private static let head = Data("ATKSR".utf8) + [1]

  /// The contents of a new record.
  init() {
    server = RandomBytes.data(count: Limits.identifier)
    (counter, auditNumber, time) = (0, 0, 0)
  }

  /// Reads a file, or returns nil if there is none.
  init?(_ file: borrowing RecordFile, _ store: KeyServerStore) throws {
    guard let data = try file.read() else { return nil }
    guard data.starts(with: Self.head) else {
      throw Self.damaged(file, "is not a record of a key server of version 1")
    }
    do {
      let opened = try store.keys.openRecord(
        data.dropFirst(Self.head.count), context: Self.head + store.realm)
      self = try opened.withUnsafeBytes { bytes in
        var reader = MessageReader(bytes, name: file.path)
        return try RecordContents(
          server: reader.fixed(Limits.identifier), counter: reader.integer(),
          auditNumber: reader.integer(), time: reader.integer())
      }
    } catch {
      throw Self.damaged(file, "is damaged, or belongs to another database")
    }
  }

  private init(server: Data, counter: UInt64, auditNumber: UInt64, time: Int64) {
    self.server = server
    self.counter = counter
    self.auditNumber = auditNumber
    self.time = time
  }

  private static func damaged(_ file: borrowing RecordFile, _ what: String) -> AtRestError {
    AtRestError(
      .damaged, "The record \(file.path) \(what).",
      remedy: "Restore it, or accept the database as it is with: atrest-keyserver accept-older.")
  }

  func sealed(_ store: KeyServerStore) throws -> Data {
    var writer = MessageWriter()
    writer.fixed(server)
    writer.integer(counter)
    writer.integer(auditNumber)
    writer.integer(time)
    return try Self.head
      + store.keys.sealRecord(SecretBytes(writer.data), context: Self.head + store.realm)
  }
}

extension Transaction {
  /// Compares the database with a record, raises its counter, and returns what the record has to
  /// hold.
  fileprivate func advance(_ former: RecordContents?) throws -> RecordContents {
    guard let state = try row(.state, KeyServerStore.stateID).map(StateRecord.init) else {
      throw AtRestError(
        .damaged, "The state of the key server is missing.", remedy: "Restore a backup.")
    }
    var contents = former ?? RecordContents()
    let id = Data("server ".utf8) + contents.server
    let row = try row(.state, id, locked: true)
    let counter = try row.map(ServerRecord.init)?.counter ?? 0
    guard counter >= contents.counter, state.auditNumber >= contents.auditNumber else {
      throw older(contents, auditNumber: state.auditNumber)
    }
    // It may be higher, if the server ended between the commit and the writing of the file.
    contents.counter = counter + 1
    contents.auditNumber = state.auditNumber
    contents.time = now
    let record = ServerRecord(counter: contents.counter)
    if let row {
      try update(.state, row, contents: record.contents)
    } else {
      try insert(.state, id: id, owner: Data(), contents: record.contents)
    }
    return contents
  }

  private func older(_ contents: RecordContents, auditNumber: UInt64) -> AtRestError {
    let date = Date(timeIntervalSince1970: Double(contents.time) / 1000).ISO8601Format()
    let missing =
      contents.auditNumber > auditNumber
      ? "At least \(contents.auditNumber - auditNumber) events are missing from its audit log."
      : "No event is missing from its audit log."
    return AtRestError(
      .rolledBack,
      "The database is older than it was on \(date), when this server used it last. \(missing)",
      remedy:
        "Restore the newest backup. Or revoke again what was revoked since the older one, and "
        + "accept it with: atrest-keyserver accept-older.")
  }
}
