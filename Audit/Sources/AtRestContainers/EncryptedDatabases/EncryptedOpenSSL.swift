import AtRestFormats
import Crypto
import CryptoExtras

/// A file that `openssl enc` encrypted with AES-128 or AES-256 in CBC mode, on which passphrases are tried.
///
/// The key and the IV are made of the passphrase and a salt: with one MD5 or SHA-256, or with PBKDF2 and 10,000 rounds of
/// either.
///
/// - Warning: **Unauthenticated.** A passphrase counts as right if the padding is, and the contents are a text or a file of
///   a known format (``PlaintextEvidence``).
///
/// Source: `enc.c` and `evp_key.c` of OpenSSL.
struct EncryptedOpenSSL: LockedFile {
  private static let rounds = 10_000
  private static let ivSize = 16
  /// The sizes of the key in bytes.
  private static let keySizes = [32, 16]

  private let salt: [UInt8]
  private let contents: PaddedCBC

  /// Prepares a file, or returns nil if OpenSSL did not make it.
  ///
  /// - Throws: ``FormatError`` if it cannot be read.
  init?(_ source: ByteSource) throws(FormatError) {
    guard let file = try OpenSSLFile(source) else { return nil }
    salt = file.salt
    contents = try PaddedCBC(source, file.contents)
  }

  var keys: LockedFileKeys { .any }
  var takesPassphrases: Bool { true }

  /// Tries a passphrase without PBKDF2, which takes some microseconds.
  func open(withKey bytes: [UInt8]) throws -> UnlockedFile? {
    try open(material(bytes, SHA256.self)) ?? open(material(bytes, Insecure.MD5.self))
  }

  func open(withPassphrase bytes: [UInt8]) throws -> UnlockedFile? {
    for hash: KDF.Insecure.PBKDF2.HashFunction in [.sha256, .insecureMD5] {
      let material = try KDF.Insecure.PBKDF2.deriveKey(
        from: bytes, salt: salt, using: hash,
        outputByteCount: Self.keySizes[0] + Self.ivSize, unsafeUncheckedRounds: Self.rounds)
      if let file = try open(material.withUnsafeBytes { Array($0) }) { return file }
    }
    return nil
  }

  /// - Parameter material: The key, and the IV behind it.
  private func open(_ material: [UInt8]) throws -> UnlockedFile? {
    for size in Self.keySizes {
      let key = SymmetricKey(data: material.prefix(size))
      let iv = Array(material[size..<size + Self.ivSize])
      guard let plaintext = try contents.proved(key, iv) else { continue }
      return UnlockedFile(format: "OpenSSL", isPassphrase: true, contents: .file(plaintext))
    }
    return nil
  }

  /// The hash of the passphrase and the salt, followed by that of this hash, the passphrase and the salt, and so on.
  private func material<Hash: HashFunction>(_ passphrase: [UInt8], _ hash: Hash.Type) -> [UInt8] {
    var material: [UInt8] = []
    var previous: [UInt8] = []
    while material.count < Self.keySizes[0] + Self.ivSize {
      previous = Array(Hash.hash(data: previous + passphrase + salt))
      material += previous
    }
    return material
  }
}
