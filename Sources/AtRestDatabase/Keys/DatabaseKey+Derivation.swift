import AtRestCrypto
import AtRestKeychain
import Crypto
import CryptoExtras
import Foundation

extension DatabaseKey {
  /// Returns the ciphers to try for a file with a salt. There are several while a key is replaced.
  ///
  /// - Parameter isNew: True if the file has no contents, so a key may be made.
  func ciphers(for format: DatabaseFormat, salt: Data, isNew: Bool) throws -> [PageCipher] {
    switch source {
    case .item(let item, let keychain, let protection):
      let secret =
        isNew
        ? try keychain.getOrCreate(item, protection: protection) {
          SecretBytes.random(count: DatabaseFormat.keySize)
        } : try Self.existing(item, in: keychain)
      guard secret.count > 0, secret.count % DatabaseFormat.keySize == 0 else {
        throw AtRestError.damaged("The keychain's item for the database is not a key.")
      }
      return try stride(from: 0, to: secret.count, by: DatabaseFormat.keySize).map { offset in
        try Self.cipher(
          key: secret.withUnsafeBytes {
            // atrest:ignore password-as-key the secret is a random key
            SymmetricKey(data: $0[offset..<offset + DatabaseFormat.keySize])
          }, format: format, salt: salt)
      }
    case .raw(let box):
      return [
        try box.bytes.withUnsafeBytes { bytes in
          let key = SymmetricKey(data: bytes.prefix(DatabaseFormat.keySize))
          guard bytes.count == 80 else {
            return try Self.cipher(key: key, format: format, salt: salt)
          }
          return PageCipher(
            format: format, salt: salt, key: key,
            authentication: SymmetricKey(data: bytes[32..<64]))
        }
      ]
    case .keyFile(let url, let box, let kdf):
      return try Self.keys(in: url, box.bytes, kdf, isNew: isNew).map { key in
        try Self.cipher(key: key.bytes.symmetricKey(), format: format, salt: salt)
      }
    case .passphrase(let box, _):
      let key = try Remains.erased(after: .deep) {
        try box.bytes.withUnsafeBytes {
          try Self.derive($0, salt: salt, format.derivation, rounds: format.rounds)
        }
      }
      return [try Self.cipher(key: key, format: format, salt: salt)]
    }
  }

  /// Returns the keys in a key file, which is made for a new database.
  private static func keys(
    in url: URL, _ passphrase: borrowing SecretBytes, _ kdf: PasswordKDF, isNew: Bool
  ) throws -> [SecretBox] {
    let file = DatabaseKeyFile(url: url)
    if isNew, try !DatabaseFile.exists(url) { try file.make(passphrase, kdf: kdf) }
    return try file.keys(passphrase)
  }

  /// Returns the item of a database that exists. A new key would not open it.
  private static func existing(_ item: PrimaryKey, in keychain: Keychain) throws -> SecretBytes {
    do {
      return try keychain.secret(for: item)
    } catch AtRestError.Code.notFound {
      throw AtRestError(
        .notFound, "The keychain has no key for the database, which exists.",
        remedy: "Restore the keychain from a backup, or name the item that was used before.",
        cause: nil)
    }
  }

  private static func cipher(
    key: SymmetricKey, format: DatabaseFormat, salt: Data
  ) throws -> PageCipher {
    let authentication = try Remains.erased(after: .deep) {
      try key.withUnsafeBytes {
        try derive(
          $0, salt: Data(salt.map { $0 ^ format.authenticationMask }), format.derivation,
          rounds: format.authenticationRounds)
      }
    }
    return PageCipher(format: format, salt: salt, key: key, authentication: authentication)
  }

  private static func derive(
    _ input: UnsafeRawBufferPointer, salt: Data, _ hash: DatabaseFormat.Hash, rounds: Int
  ) throws -> SymmetricKey {
    let function: KDF.Insecure.PBKDF2.HashFunction =
      switch hash {
      case .sha1: .insecureSHA1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    return try KDF.Insecure.PBKDF2.deriveKey(
      from: input, salt: salt, using: function, outputByteCount: DatabaseFormat.keySize,
      unsafeUncheckedRounds: rounds)
  }
}
