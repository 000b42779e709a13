import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation
import GRDB

/// The opening of one database.
struct DatabaseOpening {
  let url: URL
  let key: DatabaseKey
  let format: DatabaseFormat

  /// A link to a file is followed, as SQLite does it, so that the files beside the database are found.
  init(_ url: URL, _ key: DatabaseKey, _ format: DatabaseFormat) throws {
    try format.check()
    let real = DatabaseFile.isLink(url) ? SystemPath.real(url.path) : nil
    self.url = real.map { URL(fileURLWithPath: $0) } ?? url
    try key.check(isNot: self.url, besides: DatabaseDraft.besides)
    self.key = key
    self.format = format
  }

  /// Opens connections to the database. They keep the registration of the key.
  ///
  /// - Parameters:
  ///   - isCopied: True if the connection is the source of a copy.
  ///   - settles: True to remove what an interrupted rekey left.
  func open<Connections>(
    _ configuration: Configuration, isCopied: Bool = false, settles: Bool = true,
    _ connect: (String, Configuration, PageCipher) throws -> Connections
  ) throws -> Connections {
    try withName(isCopied: isCopied, settles: settles && !configuration.readonly) {
      name, registration, _ in
      var configuration = configuration
      let gate = try key.gate()
      // The closure keeps the registration and the gate as long as connections may be made.
      configuration.prepareDatabase { db in
        try withExtendedLifetime(registration) { try Self.checkEncryption(of: db, url) }
        gate?.watch(db)
      }
      return try connect(name, configuration, registration.cipher)
    }
  }

  /// Attaches the database to a connection. SQLite keeps its key until it is detached.
  func attach(to db: Database, as name: String) throws {
    try Self.checkMain(db)
    try withName(settles: true) { uri, _, _ in
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

  static func checkMain(_ db: Database) throws {
    guard atrest_database_is_encrypted(UnsafeMutableRawPointer(db.sqliteConnection)) == 1 else {
      throw AtRestError.invalid(
        "The main database of the connection is not encrypted, so SQLite would write temporary files "
          + "in plaintext.",
        remedy: "Attach to a connection of EncryptedDatabase.")
    }
  }

  /// Makes the key of a file available, for as long as the registration or a connection exists. The file may be
  /// replaced before SQLite opens it.
  func registration() throws -> (key: KeyRegistration, file: DatabaseFile) {
    try withName(settles: true) { ($1, $2) }
  }

  /// Calls a closure with the name of the database for SQLite, and converts its errors.
  private func withName<Connections>(
    isCopied: Bool = false, settles: Bool,
    _ body: (String, KeyRegistration, DatabaseFile) throws -> Connections
  ) throws -> Connections {
    try registerVFS()
    if settles {
      DatabaseDraft.removeSecondName(of: url)
      CompanionLock.removeLeftover(url.appending(suffix: CompanionLock.suffix).path)
    }
    // A rekey may replace the file and its key between two calls.
    for _ in 0..<5 {
      let file = try existingFile()
      let (cipher, records) = try cipher(of: file)
      guard let cipher else {
        if file.isReplaced { continue }
        throw try AtRestError.withoutRecord(self, file, records)
      }
      if let end = key.end { cipher.endWhen(end) }
      let registration = try KeyRegistration(cipher)
      do {
        let result = try body(
          registration.uri(of: url, vfs: EncryptedDatabase.vfs, isCopy: isCopied), registration,
          file)
        if settles { Leftovers(self, cipher, records).settle() }
        return result
      } catch {
        let hasMoved = (error as? DatabaseError)?.extendedResultCode == .SQLITE_READONLY_DBMOVED
        if hasMoved || (error is DatabaseError && file.isReplaced) { continue }
        throw AtRestError.from(error, opening: self, cipher: cipher)
      }
    }
    throw AtRestError(
      .busy, "The database \(url.path) is being replaced again and again.", remedy: "Try again.")
  }

  /// Opens the file, which must not be missing or empty: absence is never newness.
  private func existingFile() throws -> DatabaseFile {
    if try !DatabaseFile.exists(url) {
      let absence = try NewDatabase.absence(of: self)
      // Another process may have made the database, and then what is beside it, since the first look.
      guard try DatabaseFile.exists(url) else { throw absence }
    }
    let file = try DatabaseFile(url, format: format)
    guard !file.isEmpty else {
      throw AtRestError(
        .damaged, "The database \(url.path) is an empty file.",
        remedy: "Restore it from a backup. To make a new database, remove the file first.")
    }
    return file
  }

  /// Returns the cipher of the file, or nil if the item or key file has no key for it. If there are several, it
  /// is the one under which a page is authentic.
  private func cipher(
    of file: DatabaseFile
  ) throws -> (PageCipher?, DatabaseKeyRecords?) {
    let (ciphers, records) = try key.ciphers(of: file, in: format)
    if ciphers.count == 1, !format.hasPlaintextHeader || !key.hasRecords {
      return (ciphers[0], records)
    }
    let fitting =
      ciphers.first(where: file.recognizes) ?? ciphers.first(where: file.hasAuthenticPage)
    return (fitting, records)
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
}
