import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation
import Logging
import Synchronization

/// The keychain's SQLite file: rows, their index, and their transactions.
///
/// The type is `Sendable` because all its state is used with the connection's lock held.
final class KeychainDatabase: @unchecked Sendable {
  static let fileName = "keychain.db"

  let path: String
  let keybag: Keybag
  let classKeys: ClassKeyCache
  let connection: Connection
  let anchor: KeychainAnchor
  // Unlike the rest of the state, this is also used without the lock.
  let lookup = Mutex<MessageAuthenticator?>(nil)
  /// The hashes of the groups seen so far. There are few groups, and every item has one.
  var scopes: [[UInt8]: Int64] = [:]
  private(set) var session: Session?
  /// The version of the file from which the index was read. 0 means that it must be read again.
  var dataVersion: UInt32 = 0
  var schemaCookie: Int64 = 0
  private(set) var isInTransaction = false
  private var closesAfterTransaction = false
  private let onChange: @Sendable (KeychainChange) -> Void

  // MARK: Opening

  /// The ways to open a database that differs from the device's record.
  enum Opening {
    /// The database is refused.
    case normal
    /// An older database is accepted.
    case acceptingOlder
    /// The rows are accepted as they are, whatever the index contains.
    case rebuilding
    /// Nothing is accepted and nothing is written: the state is only inspected.
    case inspecting
  }

  /// - Parameter connection: An open database in memory, or nil for the file beside the keybag.
  init(
    _ keybag: Keybag, _ classKeys: ClassKeyCache, connection: Connection?, opening: Opening,
    onChange: @escaping @Sendable (KeychainChange) -> Void
  ) throws {
    self.keybag = keybag
    self.classKeys = classKeys
    self.onChange = onChange
    anchor = try KeychainAnchor(keybag)
    if let connection {
      self.connection = connection
      path = "in memory"
    } else {
      guard let storage = keybag.storage as? FolderStorage else {
        throw AtRestError.invalid(
          "The keybag has no folder.", remedy: "Open the keychain in memory.")
      }
      path = storage.path(Self.fileName)
      self.connection = try Self.open(in: storage, path)
    }
    if opening == .acceptingOlder && keybag.hasPasscode && keybag.lockState != .unlocked {
      throw AtRestError(
        .locked, "Only someone who knows the passcode can accept an older state of \(path).",
        remedy: "Unlock the store with its passcode first.")
    }
    try mapped {
      // One process at a time creates the tables and the first root.
      try keybag.storage.exclusively {
        // Read before the database, so that writes of another process in between do not look like a
        // rollback.
        let seen = opening == .normal ? try anchor.read() : try? anchor.read()
        try self.connection.exclusively { try prepare(seen: seen, opening: opening) }
      }
    }
  }

  private static func open(in storage: FolderStorage, _ path: String) throws -> Connection {
    let folder = try storage.made()
    func check() throws -> stat? {
      for journal in ["-wal", "-shm"] { try PrivateFile.check(fileName + journal, in: folder) }
      return try PrivateFile.check(fileName, in: folder)
    }
    // An existing file is not opened here: closing a descriptor of it would release the locks of
    // another connection of this process.
    if try check() == nil {
      // SQLite gives the journal the permissions of the file, so the file is created first.
      let file = folder.open(fileName, flags: O_RDWR | O_CREAT | O_EXCL)
      guard file >= 0 || errno == EEXIST else { throw SystemCall.error("create", path) }
      if file >= 0 { Foundation.close(file) }
    }
    let before = try check()
    let connection: Connection
    do {
      connection = try Connection(path: path)
    } catch {
      throw AtRestError.from(error, path: path)
    }
    // SQLite opens by path. It opened the file that was checked, unless the file was exchanged
    // twice.
    let after = try check()
    guard before?.st_dev == after?.st_dev, before?.st_ino == after?.st_ino else {
      throw AtRestError(
        .busy, "\(path) was replaced while it was opened.",
        remedy: "Find out which program replaces it, and try again.")
    }
    return connection
  }

  // A shared connection in memory outlives this object. Its statements are finalized with the lock
  // held.
  deinit { connection.exclusively { session = nil } }

  private func prepare(seen: KeychainAnchor.State?, opening: Opening) throws {
    let lookupKey = try keybag.deriveFromIndexKey(.lookup)
    let keyed = try MessageAuthenticator(lookupKey)
    lookup.withLock { $0 = keyed }
    let statements = SessionStatements(connection)
    let isNew = try KeychainSchema.isEmpty(statements)
    if isNew {
      if opening == .inspecting { return }
      if let seen, seen.counter > 0, opening == .normal { throw missing(seen) }
      try statements.statement("BEGIN IMMEDIATE").run()
      do {
        try KeychainSchema.make(statements)
        try statements.statement("COMMIT").run()
      } catch {
        try? statements.statement("ROLLBACK").run()
        throw error
      }
    } else if opening == .rebuilding {
      try KeychainSchema.removeForeignObjects(statements)
    }
    try KeychainSchema.check(statements, path: path)
    schemaCookie = try KeychainSchema.cookie(statements)
    let session = try Session(
      statements,
      index: ItemIndex(
        statements, root: SecretBox(try keybag.deriveFromIndexKey(.index)), path: path),
      unknownTerm: UInt64(bitPattern: keyedNumber([0xfe])))
    self.session = session
    if opening == .rebuilding {
      // The caller goes on to rebuild the index. Rows that it still confirms are treated
      // separately.
      try? session.index.refresh()
      classKeys.set =
        session.index.isLoaded
        ? UInt32(truncatingIfNeeded: session.index.head.keySet) : keybag.keySet
      return
    }
    if opening == .inspecting {
      if try !session.isEmpty() { try session.index.refresh() }
      return
    }
    if try session.isEmpty() {
      if let seen, seen.counter > 0, opening == .normal { throw missing(seen) }
      try transaction(session, isFirst: true) {
        session.index.reset(counter: (seen?.counter ?? 0) + 1)
        session.index.setKeys(
          passcodeClassID: keybag.keyID(of: .whenPasscodeSetThisDeviceOnly) ?? 0,
          keySet: UInt64(keybag.keySet))
      }
      try anchor.write(session.index.head, durably: true)
      return
    }
    try session.index.refresh()
    dataVersion = connection.dataVersion
    classKeys.set = UInt32(truncatingIfNeeded: session.index.head.keySet)
    try anchor.check(session.index.head, seen: seen, accepting: opening == .acceptingOlder, path)
    if opening == .acceptingOlder {
      Keychain.logger.notice("Accepted an older keychain", metadata: ["path": "\(path)"])
      // Numbers that the discarded history used are not used again.
      try transaction(session) {
        session.index.skip(to: max(session.index.head.counter, seen?.counter ?? 0) + 1024)
      }
      try anchor.write(session.index.head, durably: true)
    } else if session.index.head.counter != seen?.counter {
      // A power cut left the device's record behind, or a write could not reach the device.
      anchor.raise(to: session.index.head, durably: true)
    }
    try reconcile(session)
  }

  private func missing(_ seen: KeychainAnchor.State) -> AtRestError {
    AtRestError(
      .rolledBack,
      "The keychain \(path) is empty or missing, but the device remembers \(seen.counter) changes.",
      remedy: "Put the file back, or accept the loss: atrest restore --accept-older.")
  }

  /// Ends the use of the file and erases derived keys. Later calls throw. Inside a transaction,
  /// this takes effect at the end of the transaction.
  func close() {
    connection.exclusively {
      if isInTransaction {
        closesAfterTransaction = true
      } else {
        closeNow()
      }
    }
  }

  private func closeNow() {
    closesAfterTransaction = false
    if let session, session.index.isLoaded { anchor.settle(session.index.head) }
    session = nil
    lookup.withLock { $0 = nil }
    scopes = [:]
    if keybag.storage is FolderStorage { connection.close() }
  }

  /// Removes the file and its journal, which can no longer be read, so that a new store can take
  /// their place.
  func removeFiles() {
    guard keybag.storage is FolderStorage else { return }
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
  }

  // MARK: Transactions

  /// Runs a closure that reads in one snapshot.
  func read<Result: ~Copyable>(_ body: (Session) throws -> Result) throws -> Result {
    try exclusively { session in
      if isInTransaction { return try body(session) }
      try reconcile(session)
      try session.statements.statement("BEGIN").run()
      do {
        // The snapshot begins with the first read.
        try session.statements.statement("SELECT 1 FROM node LIMIT 1").run { _ in true }
        try refresh(session)
        let result = try body(session)
        try session.statements.statement("COMMIT").run()
        return result
      } catch {
        try? session.statements.statement("ROLLBACK").run()
        throw error
      }
    }
  }

  /// Reads one row by the hash of its primary key, with one statement. nil if the index in memory
  /// cannot confirm it; ``read(_:)`` is then needed.
  func readFast<Result: ~Copyable>(
    _ hash: ItemHash, _ body: (IndexEntry, PreparedStatement) throws -> Result?
  ) throws -> Result? {
    try exclusively { session in
      guard !isInTransaction, let found = session.index.cachedEntry(hash.key), let entry = found
      else { return nil }
      let statement = session.selectSecret
      defer { statement.reset() }
      try statement.bind(1, entry.id)
      // The step begins a snapshot, whose version then belongs to the index.
      guard try statement.step(), connection.dataVersion == dataVersion,
        statement.integer(0) == Int64(bitPattern: entry.generation),
        statement.integer(1) == entry.scope, statement.integer(2) == entry.info.rawValue
      else { return nil }
      return try body(entry, statement)
    }
  }

  /// Runs a closure that writes in one durable transaction. Nested calls join it.
  func write<Result: ~Copyable>(_ body: (Session) throws -> Result) throws -> Result {
    try exclusively { session in
      if isInTransaction { return try body(session) }
      defer { if closesAfterTransaction { closeNow() } }
      try reconcile(session)
      guard classKeys.set == keybag.keySet else {
        throw AtRestError(
          .locked,
          "The passcode of the store was set, but its items still need their new keys.",
          remedy: "Unlock the store once and try again.")
      }
      let result = try transaction(session) { try body(session) }
      anchor.raise(to: session.index.head, durably: false)
      session.changes.forEach(onChange)
      session.changes = []
      return result
    }
  }

  func transaction<Result: ~Copyable>(
    _ session: Session, isFirst: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    try session.statements.statement("BEGIN IMMEDIATE").run()
    isInTransaction = true
    defer { isInTransaction = false }
    do {
      if !isFirst { try refresh(session) }
      session.index.begin()
      let result = try body()
      try session.index.flush()
      try session.statements.statement("COMMIT").run()
      session.index.didCommit()
      dataVersion = connection.dataVersion
      classKeys.set = UInt32(truncatingIfNeeded: session.index.head.keySet)
      return result
    } catch {
      try? session.statements.statement("ROLLBACK").run()
      session.changes = []
      session.index.rollBack()
      throw error
    }
  }

  private func open() throws -> Session {
    guard let session else {
      throw AtRestError(
        .locked, "The keychain \(path) is closed.", remedy: "Open it again.")
    }
    return session
  }

  private func refresh(_ session: Session) throws {
    let version = connection.dataVersion
    guard version != dataVersion else { return }
    let cookie = try KeychainSchema.cookie(session.statements)
    if cookie != schemaCookie {
      try KeychainSchema.check(session.statements, path: path)
      schemaCookie = cookie
    }
    try session.index.refresh()
    classKeys.set = UInt32(truncatingIfNeeded: session.index.head.keySet)
    dataVersion = version
    anchor.raise(to: session.index.head, durably: false)
    try keybag.refresh()
    onChange(KeychainChange(kind: .external, reference: nil))
  }

  /// Truncates the journal, so that deleted data is gone from the files.
  func compact() throws { try exclusively { _ in try connection.truncateJournal() } }

  /// Runs a closure with the lock held and the database open.
  func exclusively<Result: ~Copyable>(_ body: (Session) throws -> Result) throws -> Result {
    try mapped { try connection.exclusively { try body(open()) } }
  }

  func mapped<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let prompt as PendingPrompt {
      throw prompt
    } catch let error as CallersError {
      throw error
    } catch {
      throw AtRestError.from(error, path: path)
    }
  }
}

extension KeychainDatabase.Session {
  /// Returns true if the tables are empty. A database with items but without a root is not a new
  /// keychain.
  fileprivate func isEmpty() throws -> Bool {
    for table in ["node", "item", "change"] {
      var isEmpty = true
      try statements.statement("SELECT 1 FROM \(table) LIMIT 1").run { _ in
        isEmpty = false
        return false
      }
      guard isEmpty else { return false }
    }
    return true
  }
}
