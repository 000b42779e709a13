import AtRestCrypto
import AtRestKeybag
import Foundation

/// Opening the file, and preparing its tables and index for the first transaction.
extension KeychainDatabase {
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

  /// Opens the database file in the folder of a keybag. The file is created only if the device remembers
  /// no change of it, or if the caller accepts its loss.
  static func openFile(
    beside keybag: Keybag, _ anchor: KeychainAnchor, _ opening: Opening
  ) throws -> (Connection, path: String) {
    guard let storage = keybag.storage as? FolderStorage else {
      throw AtRestError.invalid("The keybag has no folder.", remedy: "Open the keychain in memory.")
    }
    try keybag.checkPresent()
    let path = storage.path(fileName)
    let folder = try storage.present()
    func check() throws -> stat? {
      for journal in ["-wal", "-shm"] { try PrivateFile.check(fileName + journal, in: folder) }
      return try PrivateFile.check(fileName, in: folder)
    }
    // Do not open an existing file in this method: closing a descriptor of the file would release
    // the locks that another connection of this process holds.
    if try check() == nil {
      // There is nothing to inspect, and nothing is created for that.
      if opening == .inspecting { return try (Connection(path: ":memory:"), path) }
      // Another process may have created the file, and then the record, since the first look.
      if opening != .acceptingOlder, let seen = try anchor.read(), seen.counter > 0,
        try check() == nil
      {
        throw missing(seen, path)
      }
      try create(in: folder, of: storage, keybag)
    }
    let before = try check()
    let connection: Connection
    do {
      // One process at a time gives a new file its journal mode. SQLite refuses others at once, and
      // does not wait.
      connection = try storage.exclusivelyInPlace { try Connection(path: path) }
    } catch {
      throw AtRestError.from(error, path: path)
    }
    // SQLite opens the file by its path. If the file at the path is still the same, SQLite opened
    // the file that was checked, unless the file was exchanged twice.
    let after = try check()
    guard before?.st_dev == after?.st_dev, before?.st_ino == after?.st_ino else {
      throw AtRestError(
        .busy, "\(path) was replaced while it was opened.",
        remedy: "Find out which program replaces it, and try again.")
    }
    return (connection, path)
  }

  /// Creates the file, unless the store was wiped or replaced meanwhile.
  private static func create(
    in folder: OpenFolder, of storage: FolderStorage, _ keybag: Keybag
  ) throws {
    try storage.exclusivelyInPlace {
      // A wipe removes the files while it holds the same lock.
      try keybag.checkPresent()
      // SQLite gives the journal the permissions of the file, so the file is created before SQLite
      // opens it.
      let file = folder.open(fileName, flags: O_RDWR | O_CREAT | O_EXCL)
      guard file >= 0 || errno == EEXIST else {
        throw SystemCall.error("create", storage.path(fileName))
      }
      guard file >= 0 else { return }
      Foundation.close(file)
      do {
        // A wipe does not wait for a process that is stopped.
        try keybag.checkKept()
      } catch {
        _ = folder.remove(fileName)
        throw error
      }
    }
  }

  /// Returns the session of a database that was just opened.
  ///
  /// - Returns: nil if there is no database and `opening` does not allow creating one.
  func prepared(_ opening: Opening) throws -> Session? {
    if opening == .acceptingOlder && keybag.hasPasscode && keybag.lockState != .unlocked {
      throw AtRestError(
        .locked, "Only someone who knows the passcode can accept an older state of \(path).",
        remedy: "Unlock the store with its passcode first.")
    }
    return try mapped {
      // One process at a time creates the tables and the first root.
      try keybag.storage.exclusivelyInPlace {
        // The record is read before the database, so that writes of another process in between do
        // not look like a rollback.
        let seen = opening == .normal ? try anchor.read() : try? anchor.read()
        return try connection.exclusively { try prepare(seen: seen, opening: opening) }
      }
    }
  }

  /// Creates or checks the tables, and reads the index.
  ///
  /// - Returns: nil if there is no database and `opening` does not allow creating one.
  private func prepare(seen: KeychainAnchor.State?, opening: Opening) throws -> Session? {
    try hashes.open(keybag.deriveFromIndexKey(.lookup))
    let statements = SessionStatements(connection)
    guard try prepareTables(statements, seen: seen, opening: opening) else { return nil }
    let root = SecretBox(try keybag.deriveFromIndexKey(.index))
    let session = try Session(
      statements, index: ItemIndex(statements, root: root, path: path), hashes: hashes,
      termKeys: IndexKeys(root, for: .termBox))
    switch opening {
    case .rebuilding:
      // The caller rebuilds the index next. The rebuild distinguishes rows that still match the old
      // index.
      try? session.index.refresh()
      classKeys.set =
        session.index.isLoaded
        ? UInt32(truncatingIfNeeded: session.index.head.keySet) : keybag.keySet
    case .inspecting:
      if try !session.isEmpty() { try session.index.refresh() }
    case .normal, .acceptingOlder:
      if try session.isEmpty() {
        try makeFirstState(session, seen: seen, opening: opening)
      } else {
        try readState(session, seen: seen, opening: opening)
      }
    }
    return session
  }

  /// Creates the tables of a new database, or checks the tables of an existing database.
  ///
  /// - Returns: False if there is no database and `opening` does not allow creating one.
  private func prepareTables(
    _ statements: SessionStatements, seen: KeychainAnchor.State?, opening: Opening
  ) throws -> Bool {
    if try KeychainSchema.isEmpty(statements) {
      if opening == .inspecting { return false }
      if let seen, seen.counter > 0, opening != .acceptingOlder { throw Self.missing(seen, path) }
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
    return true
  }

  /// Writes the first root of an empty database.
  private func makeFirstState(
    _ session: Session, seen: KeychainAnchor.State?, opening: Opening
  ) throws {
    if let seen, seen.counter > 0, opening == .normal { throw Self.missing(seen, path) }
    if seen == nil { try anchor.begin() }
    try transaction(session, isFirst: true) {
      session.index.reset(counter: (seen?.counter ?? 0) + 1)
      session.index.setKeys(
        passcodeClassID: keybag.keyID(of: .whenPasscodeSetThisDeviceOnly) ?? 0,
        keySet: UInt64(keybag.keySet))
    }
    try anchor.write(session.index.head, durably: true)
  }

  /// Reads the index of an existing database, and compares it with the device's record.
  private func readState(
    _ session: Session, seen: KeychainAnchor.State?, opening: Opening
  ) throws {
    try session.index.refresh()
    dataVersion = connection.dataVersion
    classKeys.set = UInt32(truncatingIfNeeded: session.index.head.keySet)
    try anchor.check(session.index.head, seen: seen, accepting: opening == .acceptingOlder, path)
    if opening == .acceptingOlder {
      KeychainLog.logger.notice("Accepted an older keychain", metadata: ["path": "\(path)"])
      // Numbers that the discarded history used must not be used again.
      try transaction(session) {
        session.index.skip(to: max(session.index.head.counter, seen?.counter ?? 0) + 1024)
      }
      try anchor.write(session.index.head, durably: true)
    } else if session.index.head.counter != seen?.counter {
      // The device's record is behind: the power failed before a change was recorded, or the device
      // could not record it.
      anchor.raise(to: session.index.head, durably: true)
    }
    try reconcile(session)
  }

  private static func missing(_ seen: KeychainAnchor.State, _ path: String) -> AtRestError {
    AtRestError(
      .rolledBack,
      "The keychain \(path) is empty or missing, but the device remembers \(seen.counter) changes.",
      remedy: "Put the file back, or accept the loss: atrest restore --accept-older.")
  }
}

extension Session {
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
