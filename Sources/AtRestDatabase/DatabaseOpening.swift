import AtRestCrypto
import CAtRestDatabase
import Foundation
import GRDB

/// The opening of one database.
struct DatabaseOpening {
  let url: URL
  let key: DatabaseKey
  let format: DatabaseFormat

  init(_ url: URL, _ key: DatabaseKey, _ format: DatabaseFormat) throws {
    try format.check()
    self.url = url
    self.key = key
    self.format = format
  }

  /// Opens connections to the database. They keep the registration of the key.
  ///
  /// - Parameters:
  ///   - isCopied: True if the connection is the source of a copy.
  ///   - acceptsOlder: True if the counter in the keychain may be later than the state.
  func open<Connections>(
    _ configuration: Configuration, isCopied: Bool = false, acceptsOlder: Bool = false,
    _ connect: (String, Configuration) throws -> Connections
  ) throws -> Connections {
    try withName(isCopied: isCopied, acceptsOlder: acceptsOlder, makes: !configuration.readonly) {
      name, registration in
      var configuration = configuration
      let gate = try key.gate()
      // The closure keeps the registration and the gate as long as connections may be made.
      configuration.prepareDatabase { db in
        try withExtendedLifetime(registration) { try Self.checkEncryption(of: db, url) }
        gate?.watch(db)
      }
      return try connect(name, configuration)
    }
  }

  /// Attaches the database to a connection. SQLite keeps its key until it is detached.
  func attach(to db: Database, as name: String) throws {
    guard atrest_database_is_encrypted(UnsafeMutableRawPointer(db.sqliteConnection)) == 1 else {
      throw AtRestError.invalid(
        "The main database of the connection is not encrypted, so SQLite would write temporary files "
          + "in plaintext.",
        remedy: "Attach to a connection of EncryptedDatabase.")
    }
    try withName(makes: true) { uri, _ in
      try db.execute(sql: "ATTACH DATABASE ? AS ?", arguments: [uri, name])
      // SQLite reads the file only now.
      let quoted = name.replacing("\"", with: "\"\"")
      do {
        try db.execute(sql: "SELECT count(*) FROM \"\(quoted)\".sqlite_schema")
      } catch {
        try? db.execute(sql: "DETACH DATABASE ?", arguments: [name])
        throw error
      }
    }
  }

  /// Makes the database's key available, for as long as the registration or a connection exists.
  func registration() throws -> KeyRegistration { try withName(makes: true) { $1 } }

  /// Calls a closure with the name of the database for SQLite, and converts its errors.
  private func withName<Connections>(
    isCopied: Bool = false, acceptsOlder: Bool = false, makes: Bool,
    _ body: (String, KeyRegistration) throws -> Connections
  ) throws -> Connections {
    try registerVFS()
    // A second process may create the database at the same time, with another salt.
    for _ in 0..<3 {
      var file = try file()
      if format.isAtRest, file.isEmpty, makes {
        try NewDatabase(self).make()
        file = try DatabaseFile(url, format: format)
      }
      let cipher = try cipher(of: file)
      let keeper = try checkedKeeper(of: file, cipher, acceptsOlder: acceptsOlder)
      let registration = try KeyRegistration(cipher, keeper: keeper)
      do {
        let connections = try body(
          registration.uri(of: url, vfs: EncryptedDatabase.vfs, isCopy: isCopied), registration)
        keeper?.raiseCounter()
        return connections
      } catch {
        let present = try? DatabaseFile(url, format: format).salt
        if let present, present != file.salt, present != cipher.salt { continue }
        throw AtRestError.from(error, opening: self, cipher: cipher, keeper: keeper)
      }
    }
    throw AtRestError(
      .busy, "The database \(url.path) is being replaced again and again.", remedy: "Try again.")
  }

  /// Opens the file. If it is not in AtRest's format, the error says whether it is in SQLCipher's.
  private func file() throws -> DatabaseFile {
    do {
      return try DatabaseFile(url, format: format)
    } catch let error as AtRestError where error.code == .damaged {
      let file = try DatabaseFile(url, format: .sqlcipher4)
      let other = try? DatabaseOpening(url, key, .sqlcipher4).cipher(of: file)
      guard let other, file.isAuthentic(1, other) else { throw error }
      throw AtRestError.invalid(
        "The database \(url.path) is in the format of SQLCipher 4.",
        remedy: "Open it in this format.")
    }
  }

  func registerVFS() throws {
    guard atrest_database_reads_uris() == 1 else {
      throw AtRestError(
        .system, "The system's SQLite does not accept URIs as names of files.",
        remedy: "Use a SQLite that was compiled with SQLITE_USE_URI=1.")
    }
    let code = atrest_database_register(EncryptedDatabase.vfs, nil)
    guard code == 0 else {
      throw AtRestError(
        .system, "SQLite did not accept the encryption of files (code \(code)).",
        remedy: "Check that the machine has enough memory.")
    }
  }

  /// Throws if SQLite did not open the file through the VFS, and would write plaintext.
  private static func checkEncryption(of db: Database, _ url: URL) throws {
    guard atrest_database_is_encrypted(UnsafeMutableRawPointer(db.sqliteConnection)) == 1 else {
      throw AtRestError(
        .system, "SQLite did not open \(url.path) through the encryption.",
        remedy: "Use a SQLite that accepts URIs as names of files.")
    }
  }

  /// Returns the cipher of the file. If there are several, it is the one under which a page is
  /// authentic.
  func cipher(of file: DatabaseFile) throws -> any PageCipher {
    let ciphers = try key.ciphers(for: file.format, salt: try salt(of: file), isNew: file.isEmpty)
    let fitting = ciphers.count == 1 ? nil : ciphers.first { file.hasAuthenticPage($0) }
    return fitting ?? ciphers[0]
  }

  func salt(of file: DatabaseFile) throws -> Data {
    if let salt = key.salt {
      guard !format.isAtRest else {
        throw AtRestError.invalid(
          "In AtRest's format, the salt is in the file.", remedy: "Leave out the salt of the key.")
      }
      guard salt.count == DatabaseFormat.saltSize else {
        throw AtRestError.invalid(
          "A salt cannot have \(salt.count) bytes.", remedy: "Provide 16 bytes.")
      }
      return salt
    }
    guard !format.hasPlaintextHeader else {
      throw AtRestError.invalid(
        "The header of the database is in plaintext, so the file does not contain the salt.",
        remedy: "Provide the salt with the key.")
    }
    return file.salt ?? RandomBytes.data(count: DatabaseFormat.saltSize)
  }

  /// The rollback journal that SQLite would make in other formats.
  var journal: URL {
    url.deletingLastPathComponent().appendingPathComponent(url.lastPathComponent + "-journal")
  }

  var hasJournal: Bool { (try? DatabaseFile.exists(journal)) ?? false }

  /// Returns the keeper of the state, or nil if the format has none. The database must be as long as the
  /// state says, and the state not older than the counter.
  private func checkedKeeper(
    of file: DatabaseFile, _ cipher: any PageCipher, acceptsOlder: Bool
  ) throws -> StateKeeper? {
    guard let cipher = cipher as? AtRestPageCipher, !file.isEmpty else { return nil }
    let counter = acceptsOlder ? nil : key.stateCounter
    let keeper = StateKeeper(url, cipher: cipher, counter: counter)
    // A checkpoint of another process may change both between two calls.
    for _ in 0..<3 {
      let state = try state(in: keeper.file, of: file, cipher)
      if let known = try counter?.value(), known > state.sequence {
        throw AtRestError(
          .rolledBack,
          "The database \(url.path) has state \(state.sequence), and the keychain has seen state "
            + "\(known).",
          remedy: "Restore a later backup, or accept this one with "
            + "`atrest database verify --accept-older`.")
      }
      let size = try DatabaseFile(url, format: format)
      if state.isCheckpointing || size.pageCount(of: size.format.pageSize) >= Int(state.pageCount) {
        cipher.use(epoch: state.epoch)
        return keeper
      }
    }
    throw AtRestError.damaged("The database \(url.path) is shorter than its state says.")
  }

  /// Reads the state. If no block of it opens, page 1 tells whether the key is the wrong one.
  private func state(
    in stateFile: StateFile, of file: DatabaseFile, _ cipher: AtRestPageCipher
  ) throws -> DatabaseState {
    do {
      return try stateFile.read().state
    } catch let error as AtRestError where error.code == .authenticationFailed {
      guard file.hasAuthenticPage(cipher) else {
        throw AtRestError(
          .authenticationFailed, "The key does not open the database \(url.path).",
          remedy: "Check the key or the passphrase. Nothing was modified.")
      }
      throw stateFile.damaged
    }
  }
}
