import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation
import GRDB

/// One side of a copy: an encrypted database, or one in plaintext.
enum DatabaseSide {
  case encrypted(DatabaseOpening)
  case plaintext(URL)

  var url: URL {
    switch self {
    case .encrypted(let opening): opening.url
    case .plaintext(let url): url
    }
  }

  /// The number of bytes at the end of each page that SQLite must leave free.
  var reserve: Int {
    switch self {
    case .encrypted(let opening): opening.format.reserve
    case .plaintext: 0
    }
  }
}

/// A copy of a database under another key, in another format or in plaintext.
///
/// SQLite's `VACUUM INTO` makes it, so row identifiers, virtual tables and settings stay the same.
struct DatabaseCopy {
  let source: DatabaseSide
  let target: DatabaseSide

  func run() throws {
    switch source {
    case .encrypted(let opening):
      try opening.open(Configuration(), isCopied: true) { path, configuration in
        // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
        try write(from: DatabaseQueue(path: path, configuration: configuration))
      }
    case .plaintext(let url):
      guard try DatabaseFile.exists(url) else {
        throw AtRestError(
          .notFound, "There is no database \(url.path).", remedy: "Check the name of the file.")
      }
      do {
        let name = KeyRegistration.uri(of: url, vfs: try DatabaseOpening.systemVFS())
        var configuration = Configuration()
        // The copy's statement journals are temporary files, which would be in plaintext.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
        // atrest:ignore grdb-unencrypted the source of an import is in plaintext
        try write(from: DatabaseQueue(path: name, configuration: configuration))
      } catch let error as DatabaseError {
        throw AtRestError(
          .system, "The database \(url.path) could not be copied (SQLite: \(error.resultCode)).",
          remedy: "Check that it is a database in plaintext, and the free space of the disk.")
      }
    }
  }

  /// Writes the copy from an open database, and makes it durable.
  func write(from queue: DatabaseQueue) throws {
    // VACUUM INTO accepts an empty file, which is made here so that nobody else can read the copy.
    let descriptor = SystemPath.open(
      target.url.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let number = errno
      throw AtRestError(
        number == EEXIST ? .duplicate : .system,
        number == EEXIST
          ? "The file \(target.url.path) exists."
          : "The file \(target.url.path) could not be made.",
        remedy: number == EEXIST
          ? "Name another file, or remove this one." : "Check the permissions of its folder.")
    }
    close(descriptor)
    do {
      try writeFile(from: queue)
      try target.url.synchronize()
      try target.url.deletingLastPathComponent().synchronize()
    } catch {
      SystemPath.remove(target.url.path)
      throw error
    }
  }

  private func writeFile(from queue: DatabaseQueue) throws {
    var name = target.url.path
    var registration: KeyRegistration?
    var pageSize: Int?
    switch target {
    case .encrypted(let opening):
      try opening.registerVFS()
      let file = try DatabaseFile(opening.url, format: opening.format)
      let made = try KeyRegistration(opening.cipher(of: file))
      name = made.uri(of: opening.url, vfs: EncryptedDatabase.vfs, isCopy: true)
      registration = made
      pageSize = opening.format.pageSize
    case .plaintext:
      // Without the name of a VFS, SQLite would use that of the source.
      name = KeyRegistration.uri(of: target.url, vfs: try DatabaseOpening.systemVFS())
    }
    try withExtendedLifetime(registration) {
      try queue.writeWithoutTransaction { db in
        if let pageSize { try db.execute(sql: "PRAGMA page_size = \(pageSize)") }
        // After the size of a page, because setting that resets the reserve.
        atrest_database_want_reserve(
          UnsafeMutableRawPointer(db.sqliteConnection), Int32(target.reserve))
        try db.execute(sql: "VACUUM INTO ?", arguments: [name])
      }
    }
  }
}

extension DatabaseOpening {
  /// The name of the VFS that SQLite uses by default.
  static func systemVFS() throws -> String {
    guard let name = atrest_database_system_vfs() else {
      throw AtRestError(
        .system, "SQLite has no access to files.", remedy: "Use the system's SQLite.")
    }
    return String(cString: name)
  }
}
