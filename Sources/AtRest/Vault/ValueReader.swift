@_spi(Tools) import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation

/// Reads a value: finds its item, opens it with the further key that it needs, opens its file, and counts
/// the use.
struct ValueReader {
  let item: ValueItem

  private var compartment: Compartment { item.compartment }
  private var vault: Vault { item.vault }
  private var keychain: Keychain { item.keychain }

  /// The file of a value does not exist: the value was replaced while it was read, or the file is
  /// lost.
  private struct MissingFile: Error {
    let error: AtRestError
  }

  /// Calls a closure with a value's stored form and payload (the value itself, or the key of its
  /// file), and counts one use.
  func use<Result: ~Copyable>(
    countingFirst: Bool = false, _ body: (StoredValue, borrowing SecretBytes) throws -> Result
  ) throws -> Result {
    try vault.checkRuntimeIfDue()
    while true {
      let stored = try item.find()
      // The payload of a database is its key, and must not be taken for its contents.
      guard stored.head.store != .database else { throw item.isDatabaseError }
      let payload = try open(stored).payload
      do {
        if stored.usesLeft == StoredValue.unlimited {
          let result = try body(stored, payload.bytes)
          item.removeFile(try item.spend(stored))
          return result
        }
        guard !keychain.isInTransaction else {
          throw AtRestError.invalid(
            "\(item.place.words) can be read a limited number of times, but a transaction that "
              + "fails would not count this read.",
            remedy: "Read it before or after the transaction.")
        }
        guard !countingFirst else {
          // A purge must not remove the file before the output ends.
          let lock = try vault.files.lockForWriting()
          defer { withExtendedLifetime(lock) {} }
          let file = try keychain.transaction { () throws -> Data? in
            guard try item.isCurrent(stored) else { throw ValueItem.Replaced() }
            return try item.spend(stored)
          }
          defer { item.removeFile(file) }
          return try body(stored, payload.bytes)
        }
        // The read and the count are one transaction, so two concurrent readers cannot both spend
        // the last use.
        var result: Result?
        let file = try keychain.transaction { () throws -> Data? in
          guard try item.isCurrent(stored) else { throw ValueItem.Replaced() }
          result = try body(stored, payload.bytes)
          return try item.spend(stored)
        }
        item.removeFile(file)
        return result.take()!
      } catch is ValueItem.Replaced {
        // The value was used or replaced meanwhile; read it again.
      } catch let missing as MissingFile {
        guard try item.find().head.id == stored.head.id else { continue }
        throw missing.error
      }
    }
  }

  /// Returns the payload of a stored form, and the further key that opened it, or nil if it needed none.
  func open(_ stored: StoredValue) throws -> (payload: SecretBox, key: SecretBox?) {
    let key = try compartment.furtherKey(
      stored.head.key, storing: false, expecting: stored.head.keyID)?.key
    return (try stored.open(in: item.place, under: key), key)
  }

  /// Calls a closure with a value's stored form and contents, and counts one use.
  func useContents<Result>(
    _ body: (StoredValue, UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try use { stored, payload in
      guard stored.head.store == .file else {
        return try payload.withUnsafeBytes { try body(stored, $0) }
      }
      var data = try readFile(of: stored, payload)
      defer { data.erase() }
      return try data.withUnsafeBytes { try body(stored, $0) }
    }
  }

  // MARK: Files

  func readFile(of stored: StoredValue, _ key: borrowing SecretBytes) throws -> Data {
    try withFile(of: stored, key) { try $0.read($1) }
  }

  /// Calls a closure with the file of a stored value, and with the protected files that have its key,
  /// which may come from the agent.
  func withFile<Result>(
    of stored: StoredValue, _ key: borrowing SecretBytes,
    _ body: (ProtectedFiles, FolderEntry) throws -> Result
  ) throws -> Result {
    let files = ProtectedFiles(
      keys: try HeldFileKeys(
        SecretBox(key.duplicate()),
        lockedWith: (keychain.keybag, stored.head.accessibility.keyClass),
        usesAgent: keychain.usesAgent))
    let file = try entry(of: stored)
    do {
      return try body(files, file)
    } catch let error as AtRestError where error.code == .notFound {
      // This throws if the file is gone; otherwise, the destination's folder is missing.
      _ = try entry(of: stored)
      throw error
    } catch let error as AtRestError
      where [.notProtected, .notPermitted].contains(error.code) && !error.isOfSystem
    {
      throw AtRestError(
        .damaged, "The file of the \(stored.head.kind) is not the one stored: \(file.path).",
        remedy: "Restore it from a backup. Nothing was modified.", cause: error)
    }
  }

  /// Returns the entry of the file, after checking that it exists and is a private file.
  private func entry(of stored: StoredValue) throws -> FolderEntry {
    let entry = try vault.files.file(stored.head.id, of: compartment.id)
    guard let entry, try PrivateFile.check(entry.name, in: entry.folder) != nil else {
      throw MissingFile(
        error: .damaged(
          "The file of the \(stored.head.kind) is missing: "
            + "\(entry?.path ?? stored.head.id.hexadecimal)."))
    }
    return entry
  }
}
