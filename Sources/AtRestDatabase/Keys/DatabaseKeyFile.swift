import AtRestCrypto
import AtRestKeybag
import Foundation

/// A file with the random key of a database, wrapped under a passphrase: one passphrase record, or two
/// while the key is replaced, of which the first one has the new key.
struct DatabaseKeyFile {
  private static let recordSize = 119

  let url: URL

  /// Returns the keys, the new one first.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if there is no file; ``AtRestError/Code/damaged``;
  ///   ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong or a record was modified.
  func keys(_ passphrase: borrowing SecretBytes) throws -> [SecretBox] {
    var keys: [SecretBox] = []
    for record in try records() { keys.append(try record.key(passphrase)) }
    return keys
  }

  /// Makes the file with a random key, unless it exists.
  func make(_ passphrase: borrowing SecretBytes, kdf: PasswordKDF) throws {
    let record = try PassphraseRecord.make(passphrase, kdf: kdf).record
    try DurableFile.make(url, record.encoded)
  }

  /// Wraps the keys under another passphrase. The file is replaced as a whole.
  func change(
    _ old: borrowing SecretBytes, to new: borrowing SecretBytes, kdf: PasswordKDF
  ) throws {
    var data = Data()
    for record in try records() {
      data += try record.rewrapped(record.key(old).bytes, for: new, kdf: kdf).encoded
    }
    try DurableFile.replace(url, data)
  }

  /// Adds a random key before the one in the file, and returns it.
  func add(_ passphrase: borrowing SecretBytes) throws -> SecretBox {
    let present = try records()
    let (record, key) = try PassphraseRecord.make(passphrase, kdf: present[0].kdf)
    try DurableFile.replace(url, record.encoded + present[0].encoded)
    return key
  }

  /// Removes all keys but one.
  func keepOnly(_ key: borrowing SecretBytes) throws {
    let name = PassphraseRecord.keyID(of: key)
    guard let record = try records().first(where: { $0.keyID == name }) else { return }
    try DurableFile.replace(url, record.encoded)
  }

  private func records() throws -> [PassphraseRecord] {
    let data: Data
    do {
      let file = SystemPath.open(url.path, O_RDONLY | O_CLOEXEC)
      if file < 0, errno == ENOENT {
        throw AtRestError(
          .notFound, "There is no key file \(url.path).",
          remedy: "Restore it from a backup: the database does not open without it.")
      }
      guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      data = try FileHandle(fileDescriptor: file, closeOnDealloc: true).readToEnd() ?? Data()
    } catch let error as AtRestError {
      throw error
    } catch {
      throw AtRestError(
        .system, "The key file \(url.path) could not be read.",
        remedy: "Check that it is a file, and its permissions.", cause: error)
    }
    let size = Self.recordSize
    guard !data.isEmpty, data.count % size == 0, data.count <= 2 * size else {
      throw AtRestError.damaged("The key file \(url.path) has \(data.count) bytes.")
    }
    return try stride(from: 0, to: data.count, by: size).map {
      try PassphraseRecord(decoding: Data(data[$0..<$0 + size]))
    }
  }
}
