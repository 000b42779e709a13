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
  /// - Parameter isCopied: True if the connection is the source of a copy.
  func open<Connections>(
    _ configuration: Configuration, isCopied: Bool = false,
    _ connect: (String, Configuration) throws -> Connections
  ) throws -> Connections {
    try withName(isCopied: isCopied) { name, registration in
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
    try withName { uri, _ in
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
  func registration() throws -> KeyRegistration { try withName { $1 } }

  /// Calls a closure with the name of the database for SQLite, and converts its errors.
  private func withName<Connections>(
    isCopied: Bool = false, _ body: (String, KeyRegistration) throws -> Connections
  ) throws -> Connections {
    try registerVFS()
    // A second process may create the database at the same time, with another salt.
    for _ in 0..<3 {
      let file = try DatabaseFile(url, format: format)
      let cipher = try cipher(of: file)
      let registration = try KeyRegistration(cipher)
      do {
        return try body(
          registration.uri(of: url, vfs: EncryptedDatabase.vfs, isCopy: isCopied), registration)
      } catch {
        let present = try? DatabaseFile(url, format: format).salt
        if let present, present != file.salt, present != cipher.salt { continue }
        if (error as? DatabaseError)?.extendedResultCode == .SQLITE_READONLY_DBMOVED { continue }
        throw AtRestError.from(error, opening: self, cipher: cipher)
      }
    }
    throw AtRestError(
      .busy, "The database \(url.path) is being replaced again and again.", remedy: "Try again.")
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
  func cipher(of file: DatabaseFile) throws -> PageCipher {
    let ciphers = try key.ciphers(for: file.format, salt: try salt(of: file), isNew: file.isEmpty)
    let fitting = ciphers.count == 1 ? nil : ciphers.first { file.hasAuthenticPage($0) }
    return fitting ?? ciphers[0]
  }

  func salt(of file: DatabaseFile) throws -> Data {
    if let salt = key.salt {
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
}
