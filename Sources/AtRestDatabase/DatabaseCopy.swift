import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation
import GRDB

/// A copy of a database under another key, in another format or in plaintext.
///
/// SQLite's `VACUUM INTO` makes it, so row identifiers, virtual tables and settings stay the same.
struct DatabaseCopy {
  /// One side of a copy: an encrypted database, or one in plaintext.
  enum Side {
    case encrypted(DatabaseOpening)
    case plaintext(URL)

    var url: URL {
      switch self {
      case .encrypted(let opening): opening.url
      case .plaintext(let url): url
      }
    }
  }

  let source: Side
  let target: Side
  /// The configuration of the connection to the source.
  let configuration: Configuration
  /// Gets the connection to the source before anything is written, and nil when the copy has its name. A copy in
  /// plaintext passes it twice more in between, because an interruption stops a statement and no flush. If it
  /// throws for a connection, what was written is removed.
  var interruptible: ((DatabaseQueue?) throws -> Void)?

  /// Makes the copy, which must not exist.
  func run() throws {
    let url = target.url
    guard try !DatabaseFile.exists(url) else { throw DatabaseDraft.duplicate(url) }
    try CompanionLock.exclusively(url.appending(suffix: CompanionLock.suffix).path) {
      guard try !DatabaseFile.exists(url) else { throw DatabaseDraft.duplicate(url) }
      try NewDatabase.checkCompanions(of: url)
      switch source {
      case .encrypted(let opening):
        try opening.open(configuration, isCopied: true) { path, configuration, _ in
          // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
          try write(from: DatabaseQueue(path: path, configuration: configuration))
        }
      case .plaintext(let original): try writePlaintext(original)
      }
    }
  }

  private func writePlaintext(_ original: URL) throws {
    guard try DatabaseFile.exists(original) else {
      throw AtRestError(
        .notFound, "There is no database \(original.path).", remedy: "Check the name of the file.")
    }
    guard try !DatabaseFile(original, format: .sqlcipher4).isEmpty else {
      throw AtRestError.invalid(
        "\(original.path) is an empty file.",
        remedy: "Check the name of the file. To make a new database, ask for it: create, or --new.")
    }
    do {
      let name = KeyRegistration.uri(of: original, vfs: try DatabaseOpening.systemVFS())
      var configuration = configuration
      // The copy's statement journals are temporary files, which would be in plaintext.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
      // atrest:ignore grdb-unencrypted the source of an import is in plaintext
      let queue = try DatabaseQueue(path: name, configuration: configuration)
      let isCut = try queue.read { db in
        // The first read rolls back the journal of a crash, which may have the pages that are missing.
        _ = try Int.fetchOne(db, sql: "PRAGMA schema_version")
        return try PlaintextHeader.isCut(original)
      }
      guard !isCut else { throw AtRestError.cutOff(original) }
      try write(from: queue)
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_CORRUPT, try PlaintextHeader.isCut(original) {
        throw AtRestError.cutOff(original)
      }
      throw AtRestError(
        .system, "The database \(original.path) could not be copied (\(error.words)).",
        remedy: "Check that it is a database in plaintext, and the free space of the disk.")
    }
  }

  private func write(from queue: DatabaseQueue) throws {
    do {
      try writeTarget(from: queue)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
      // What was written is removed by now. The copy has no more pages than the source.
      throw AtRestError.fullDisk(
        target.url.path, needed: SystemPath.status(source.url.path).map { Int($0.st_size) })
    }
  }

  private func writeTarget(from queue: DatabaseQueue) throws {
    try interruptible?(queue)
    switch target {
    case .encrypted(let opening):
      try opening.registerVFS()
      try NewDatabase(opening, configuration).discardLeftover()
      let draft = try DatabaseDraft(of: opening.url, opening.key, opening.format)
      do {
        try draft.vacuum(from: queue)
        try draft.addRecord()
        _ = try draft.provenCipher()
        try draft.takePlace()
      } catch {
        draft.discard()
        throw error
      }
    case .plaintext(let target):
      let url = try Self.checkedPlace(of: target)
      let draft = DatabaseDraft.url(.new, of: url)
      DatabaseDraft.remove(draft)
      do {
        // VACUUM INTO accepts an empty file, which is made here so that nobody else can read the copy.
        let file = try MadeFile(draft.path, for: url.path)
        // Without the name of a VFS, SQLite would use that of the source.
        let name = KeyRegistration.uri(of: draft, vfs: try DatabaseOpening.systemVFS())
        try Self.vacuum(queue, into: name, nil)
        try interruptible?(queue)
        try file.synchronize()
        try interruptible?(queue)
        try DatabaseDraft.give(url, to: draft)
      } catch {
        DatabaseDraft.remove(draft)
        throw error
      }
    }
    try interruptible?(nil)
    try queue.close()
  }

  /// Returns the path of a copy in plaintext, without links. Throws if another user can put a file of theirs in its place,
  /// or a folder of theirs in that of one above it: the plaintext would be written there.
  ///
  /// Root may write into a folder that only its owner can write.
  private static func checkedPlace(of url: URL) throws -> URL {
    let named = url.deletingLastPathComponent().path
    guard let real = SystemPath.real(named) else { throw SystemCall.error("inspect", named) }
    let user = geteuid()
    var folder = real
    while true {
      guard let status = SystemPath.status(folder) else {
        throw SystemCall.error("inspect", folder)
      }
      let others = status.st_gid == getegid() ? S_IWOTH : S_IWOTH | S_IWGRP
      let isShared = status.st_mode & others != 0 && status.st_mode & S_ISVTX == 0
      guard !isShared, [user, 0].contains(status.st_uid) || user == 0 else {
        throw AtRestError(
          .notPermitted,
          isShared
            ? "Others can write to the folder \(folder), and exchange the copy."
            : "The folder \(folder) belongs to another user, who could exchange the copy.",
          remedy:
            "Export into a folder that only you can write, such as one of mktemp -d, and move the file then."
        )
      }
      if folder == "/" { break }
      folder = SystemPath.folder(of: folder)
    }
    return URL(fileURLWithPath: real).appendingPathComponent(url.lastPathComponent)
  }

  /// Copies a database into an empty file: in a format, or in plaintext without one.
  static func vacuum(_ queue: DatabaseQueue, into name: String, _ format: DatabaseFormat?) throws {
    try queue.writeWithoutTransaction { db in
      if let format { try db.execute(sql: "PRAGMA page_size = \(format.pageSize)") }
      // After the size of a page, because setting that resets the reserve.
      atrest_database_want_reserve(
        UnsafeMutableRawPointer(db.sqliteConnection), Int32(format?.reserve ?? 0))
      try db.execute(sql: "VACUUM INTO ?", arguments: [name])
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
