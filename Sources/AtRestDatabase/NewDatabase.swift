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
    return try CompanionLock.exclusively(url.appending(suffix: CompanionLock.suffix).path) {
      guard try !DatabaseFile.exists(url) else { return false }
      try Self.checkCompanions(of: url)
      // A process that was killed may have left a database that is whole. A new one is not made of it.
      if ignoresRecords {
        try discardLeftover()
      } else if try finish() {
        return true
      }
      let absence = try Self.absence(of: opening, ignoresRecords: ignoresRecords)
      guard absence.code == .notFound else { throw absence }
      let draft = try DatabaseDraft(of: url, opening.key, opening.format)
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
    try draft.file?.synchronize()
  }

  /// Gives a draft its name that a process left when its key was stored already.
  private func finish() throws -> Bool {
    guard let record = try leftover() else { return false }
    let draft = try DatabaseFile(DatabaseDraft.url(.new, of: url), format: opening.format)
    // One whose key could not be removed is only a first page.
    guard try !draft.isCut(record.cipher(in: opening.format)) else {
      try discardLeftover()
      return false
    }
    try DatabaseDraft.give(url, to: DatabaseDraft.url(.new, of: url))
    return true
  }

  /// Removes the key of a draft that a process left. The draft itself is removed when the next one is made.
  func discardLeftover() throws {
    if let record = try leftover() { try opening.key.updateRecords { $0.remove(record.salt) } }
  }

  /// The record of a draft that a process left when its key was stored already, or nil.
  private func leftover() throws -> DatabaseKeyRecord? {
    let draft = DatabaseDraft.url(.new, of: url)
    // A draft with a second name may be in use under that one.
    guard opening.key.hasRecords, try DatabaseFile.exists(draft),
      SystemPath.status(draft.path)?.st_nlink == 1, let records = try opening.key.records()
    else { return nil }
    let file = try DatabaseFile(draft, format: opening.format)
    // A copy of another database may have been put there: its record is that of no draft of this file.
    return try records.drafts(replacing: nil, at: DatabaseKeyRecord.place(of: url)).first {
      try file.recognizes($0.cipher(in: opening.format))
    }
  }

  // MARK: Absence

  /// Throws if a log or a journal is there whose database is missing, which would be read into a new one, or the copy of
  /// a rekey, which may be the last one.
  static func checkCompanions(of url: URL) throws {
    if let error = companionError(of: url) { throw error }
  }

  private static func companionError(of url: URL) -> AtRestError? {
    for suffix in ["-wal", "-journal", DatabaseDraft.Kind.rekey.rawValue] {
      let file = url.appending(suffix: suffix)
      guard let status = SystemPath.status(file.path), status.st_size > 0 else { continue }
      return AtRestError(
        .damaged,
        "The database \(url.path) is missing, but its file \(file.lastPathComponent) is there.",
        remedy: "Restore the database from a backup. To make a new one, move that file away first.")
    }
    return nil
  }

  /// Returns the error of a database that is missing: *damaged* if its log, its journal or its key is there.
  ///
  /// - Parameter ignoresRecords: True if the caller makes the database whatever the key says.
  static func absence(
    of opening: DatabaseOpening, ignoresRecords: Bool = false
  ) throws -> AtRestError {
    let url = opening.url
    if let error = companionError(of: url) { return error }
    let place = DatabaseKeyRecord.place(of: url)
    if !ignoresRecords,
      try opening.key.records()?.all.contains(where: { $0.place == place }) == true
    {
      return AtRestError(
        .damaged,
        "The database \(url.path) is missing, but \(opening.key.owner.lowercasedFirst) has the key of one with this path.",
        remedy:
          "Restore it from a backup. If it was removed, or is elsewhere by now, ask for a new one: create, "
          + "or --new.")
    }
    return AtRestError(
      .notFound, "There is no database \(url.path).",
      remedy: "Check the name of the file. To make a new database, ask for it: create, or --new.")
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
