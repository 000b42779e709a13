@_spi(Tools) import AtRestCrypto
import AtRestDatabase
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB

/// A value that is a database: its item, and the file that the item's key opens.
struct ValueDatabase {
  private let item: ValueItem
  private let stored: StoredValue

  init(_ item: ValueItem, _ stored: StoredValue) {
    self.item = item
    self.stored = stored
  }

  private var compartment: Compartment { item.compartment }
  private var head: StoredValue.Head { stored.head }

  /// Opens connections to the database. If it was not made yet, it is made now.
  func connect(_ configuration: Configuration) throws -> DatabaseConnections {
    let (key, further) = try ValueReader(item: item).open(stored)
    let file = try head.size > 0 ? madeFile() : blankFile()
    var configuration = configuration
    if case .immediateError = configuration.busyMode { configuration.busyMode = .timeout(5) }
    do {
      let connections = try DatabaseConnections(configuration) {
        try EncryptedDatabase.open(
          at: URL(fileURLWithPath: file.path), key: .raw(key.bytes), creating: head.size == 0,
          configuration: $0)
      }
      try noteMade(file, key, sealedUnder: further)
      return connections
    } catch {
      // A logout in another process may have removed the file.
      try removeIfGone()
      throw damage(error, file)
    }
  }

  /// Returns the entry of a file that exists.
  private func madeFile() throws -> FolderEntry {
    let entry = try item.vault.files.file(head.id, of: compartment.id)
    guard let entry, let status = try PrivateFile.check(entry.name, in: entry.folder),
      status.st_size > 0
    else {
      throw AtRestError.damaged(
        "The database of the \(head.kind) is missing or empty: "
          + "\(entry?.path ?? head.id.hexadecimal).")
    }
    return entry
  }

  /// Returns the entry of a file that is to be made, or of one that a crash left as soon as it was made.
  private func blankFile() throws -> FolderEntry {
    let entry = try compartment.newFile(head)
    try PrivateFile.check(entry.name, in: entry.folder)
    return entry
  }

  /// Checks that the item still exists, and notes in it that the database is made.
  private func noteMade(
    _ file: FolderEntry, _ key: SecretBox, sealedUnder further: SecretBox?
  ) throws {
    if head.size > 0 {
      _ = try item.find()
      return
    }
    let size = try PrivateFile.check(file.name, in: file.folder)?.st_size ?? 0
    let made = head.sized(UInt64(size))
    let body = try StoredValue.seal(key.bytes, made, in: item.place, under: further)
    try item.keychain.transaction {
      let current = try item.find()
      // Another process may have noted it already.
      guard current.head == head else { return }
      try item.set(
        StoredValue(
          head: made, lastUse: current.lastUse, usesLeft: current.usesLeft, body: body))
    }
  }

  private func removeIfGone() throws {
    do {
      guard try item.find().head.id != head.id else { return }
      item.vault.files.remove(head.id, of: compartment.id)
    } catch let error as AtRestError
      where error.refusal == .notFound || [.loggedOut, .wiped].contains(error.code)
    {
      item.vault.files.remove(head.id, of: compartment.id)
      throw error
    }
  }

  /// Converts errors that mean that the file is not the one that the vault made.
  private func damage(_ error: any Error, _ file: FolderEntry) -> any Error {
    guard let error = error as? AtRestError,
      [.authenticationFailed, .notProtected, .invalidArgument].contains(error.code)
    else { return error }
    return AtRestError(
      .damaged, "The database of the \(head.kind) is not the one stored: \(file.path).",
      remedy: "Restore it from a backup. Nothing was modified.", cause: error)
  }
}
