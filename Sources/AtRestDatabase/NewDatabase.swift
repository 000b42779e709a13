import AtRestCrypto
import AtRestKeybag
import Foundation
import GRDB

/// The creation of an empty database.
struct NewDatabase {
  private let opening: DatabaseOpening
  private let configuration: Configuration
  private var url: URL { opening.url }

  init(_ opening: DatabaseOpening, _ configuration: Configuration) {
    self.opening = opening
    self.configuration = configuration
  }

  /// Makes the database.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if the file exists.
  func make() throws {
    guard try makeUnlessPresent(ignoresRecords: true) else { throw DatabaseDraft.duplicate(url) }
  }

  /// Makes the database if it does not exist and nothing says that it existed.
  func makeUnlessPresent() throws { _ = try makeUnlessPresent(ignoresRecords: false) }

  private func makeUnlessPresent(ignoresRecords: Bool) throws -> Bool {
    guard try !DatabaseFile.exists(url) else { return false }
    try opening.registerVFS()
    return try CompanionLock.exclusively(url.appending(suffix: "-lock").path) {
      guard try !DatabaseFile.exists(url) else { return false }
      let absence = try Self.absence(of: opening, ignoresRecords: ignoresRecords)
      guard absence.code == .notFound else { throw absence }
      if try finish() { return true }
      let draft = try DatabaseDraft(.new, of: url, opening.key, opening.format)
      do {
        try fill(draft)
        try draft.addRecord()
        _ = try draft.provenCipher()
        try draft.takePlace()
      } catch {
        draft.discard()
        throw error
      }
      return true
    }
  }

  /// Lets SQLite write the first page, with the settings that the application makes.
  private func fill(_ draft: DatabaseDraft) throws {
    try draft.make()
    let registration = try KeyRegistration(draft.cipher)
    do {
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(
        path: registration.uri(of: draft.url, vfs: EncryptedDatabase.vfs),
        configuration: configuration)
      try queue.writeWithoutTransaction { try $0.inTransaction(.immediate) { .commit } }
      try queue.close()
    } catch {
      throw AtRestError.from(error, opening: opening, cipher: draft.cipher)
    }
    try draft.url.synchronize()
  }

  /// Gives a draft its name that a process left when its key was stored already.
  private func finish() throws -> Bool {
    let draft = DatabaseDraft.url(.new, of: url)
    guard opening.key.hasRecords, try DatabaseFile.exists(draft),
      let records = try opening.key.records()
    else { return false }
    let file = try DatabaseFile(draft, format: opening.format)
    let name = SystemPath.name(of: url.path)
    let isOurs = try records.all.contains {
      try $0.name == name && $0.salt == file.salt && file.recognizes($0.cipher(in: opening.format))
    }
    if isOurs { try DatabaseDraft.give(url, to: draft) }
    return isOurs
  }

  // MARK: Absence

  /// Returns the error of a database that is missing: *damaged* if its log, its journal or its key is there.
  ///
  /// - Parameter ignoresRecords: True if the caller makes the database whatever the key says.
  static func absence(
    of opening: DatabaseOpening, ignoresRecords: Bool = false
  ) throws -> AtRestError {
    let url = opening.url
    for suffix in ["-wal", "-journal"] {
      let file = url.appending(suffix: suffix)
      guard let status = SystemPath.status(file.path), status.st_size > 0 else { continue }
      return AtRestError(
        .damaged,
        "The database \(url.path) is missing, but its file \(file.lastPathComponent) is there.",
        remedy: "Restore the database from a backup. To make a new one, move that file away first.")
    }
    let name = SystemPath.name(of: url.path)
    if !ignoresRecords, try opening.key.records()?.all.contains(where: { $0.name == name }) == true
    {
      return AtRestError(
        .damaged,
        "The database \(url.path) is missing, but \(opening.key.owner.lowercasedFirst) has the key of one with this name.",
        remedy:
          "Restore it from a backup. If it was removed, or is in another folder, make a new one with "
          + "`EncryptedDatabase.create` or --new.")
    }
    return AtRestError(
      .notFound, "There is no database \(url.path).",
      remedy:
        "Check the name of the file. To make a new database, use `EncryptedDatabase.create` or --new."
    )
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
