import AtRestCrypto
import AtRestKeychain
import Crypto
import Foundation

extension DatabaseKey {
  /// Returns the ciphers that may be those of a file, and the records if the key has any. There are several
  /// ciphers only if the file does not contain its salt, and none if an item or a key file has no key for it.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such item or key file.
  func ciphers(
    of file: DatabaseFile, in format: DatabaseFormat
  ) throws -> (all: [PageCipher], records: DatabaseKeyRecords?) {
    guard hasRecords else {
      return ([try cipher(salt: fixedSalt(format) ?? file.salt ?? Self.noSalt, in: format)], nil)
    }
    guard let records = try records() else { throw missing }
    let fitting =
      format.hasPlaintextHeader ? records.all : records.all.filter { $0.salt == file.salt }
    return (try fitting.map { try $0.cipher(in: format) }, records)
  }

  /// The salt of a file that is too short to have one. It opens nothing.
  private static let noSalt = Data(count: DatabaseFormat.saltSize)

  /// Returns the salt that the key contains, or nil if the file has it.
  private func fixedSalt(_ format: DatabaseFormat) throws -> Data? {
    if let salt {
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
    return nil
  }

  /// Returns the cipher of a new file, and its record if the key has records.
  func newCipher(
    for url: URL, in format: DatabaseFormat
  ) throws -> (cipher: PageCipher, record: DatabaseKeyRecord?) {
    if hasRecords {
      let record = DatabaseKeyRecord.random(for: url)
      return (try record.cipher(in: format), record)
    }
    let salt = try fixedSalt(format) ?? RandomBytes.data(count: DatabaseFormat.saltSize)
    return (try cipher(salt: salt, in: format), nil)
  }

  /// Returns the cipher of a raw key or a passphrase.
  func cipher(salt: Data, in format: DatabaseFormat) throws -> PageCipher {
    switch source {
    case .item, .keyFile: throw missing
    case .raw(let box):
      return try box.bytes.withUnsafeBytes { bytes in
        let key = SymmetricKey(data: bytes.prefix(DatabaseFormat.keySize))
        guard bytes.count == 80 else {
          return try PageCipher(format: format, salt: salt, key: key)
        }
        return PageCipher(
          format: format, salt: salt, key: key,
          authentication: SymmetricKey(data: bytes[32..<64]))
      }
    case .passphrase(let box, _):
      let key = try box.bytes.withUnsafeBytes {
        try PageCipher.derive($0, salt: salt, format.derivation, rounds: format.rounds)
      }
      return try PageCipher(format: format, salt: salt, key: key)
    }
  }
}

extension DatabaseKeyRecord {
  func cipher(in format: DatabaseFormat) throws -> PageCipher {
    try PageCipher(format: format, salt: salt, key: key.bytes.symmetricKey())
  }
}

extension PageCipher {
  /// Creates a cipher whose HMAC key is derived from the key.
  fileprivate convenience init(format: DatabaseFormat, salt: Data, key: SymmetricKey) throws {
    let authentication = try key.withUnsafeBytes {
      try Self.derive(
        $0, salt: Data(salt.map { $0 ^ format.authenticationMask }), format.derivation,
        rounds: format.authenticationRounds)
    }
    self.init(format: format, salt: salt, key: key, authentication: authentication)
  }

  fileprivate static func derive(
    _ input: UnsafeRawBufferPointer, salt: Data, _ hash: DatabaseFormat.Hash, rounds: Int
  ) throws -> SymmetricKey {
    let function: PBKDF2.Function =
      switch hash {
      case .sha1: .insecureSHA1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    return try PBKDF2.key(
      from: input, salt: salt, function, rounds: rounds, count: DatabaseFormat.keySize)
  }
}
