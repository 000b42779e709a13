import AtRestCrypto
import Crypto
import CryptoExtras
import Foundation

/// The cryptography of device backups: AES Key Wrap, AES-256-CBC, AES-256-GCM with an empty nonce,
/// and PBKDF2. Nothing is encrypted with it.
enum BackupCryptography {
  static let blockSize = 16
  static let keySize = 32
  /// The size of a wrapped key, in bytes.
  static let wrappedKeySize = keySize + 8
  private static let tagSize = 16

  /// Unwraps a key (RFC 3394), or returns nil if it was modified or wrapped under another key.
  static func unwrap(_ wrapped: Data, with key: SymmetricKey) -> SymmetricKey? {
    guard wrapped.count == wrappedKeySize else { return nil }
    return try? AES.KeyWrap.unwrap(wrapped, using: key)
  }

  /// Derives a key of 32 bytes from a password with PBKDF2.
  ///
  /// - Throws: ``AtRestError/Code/system`` if it could not be computed.
  static func deriveKey(
    from password: some DataProtocol, salt: Data, rounds: UInt32,
    hash: KDF.Insecure.PBKDF2.HashFunction
  ) throws -> SymmetricKey {
    do {
      return try KDF.Insecure.PBKDF2.deriveKey(
        from: password, salt: salt, using: hash, outputByteCount: keySize,
        unsafeUncheckedRounds: Int(rounds))
    } catch {
      throw AtRestError(
        .system, "No key could be derived from the backup's password.",
        remedy: "Check that the machine has enough memory.", cause: error)
    }
  }

  /// Decrypts blocks of AES-256-CBC and keeps the padding.
  static func decryptBlocks(
    _ blocks: some DataProtocol, key: SymmetricKey, iv: Data
  ) throws -> Data {
    try AES._CBC.decrypt(blocks, using: key, iv: AES._CBC.IV(ivBytes: iv), noPadding: true)
  }

  /// Decrypts AES-256-CBC with an IV of zeros, or returns nil if the padding is wrong.
  static func decrypt(_ ciphertext: Data, key: SymmetricKey) -> Data? {
    guard let iv = try? AES._CBC.IV(ivBytes: Data(count: blockSize)) else { return nil }
    return try? AES._CBC.decrypt(ciphertext, using: key, iv: iv)
  }

  /// Opens AES-256-GCM with an empty nonce, or returns nil if the tag is wrong.
  ///
  /// The first counter block for an empty nonce is all zeros. swift-crypto accepts no nonce below
  /// 12 bytes, so the tag is checked with a nonce of 12 zeros, whose first block ends in 1. The hash
  /// over the ciphertext is the same, and only the mask over the tag differs.
  static func openWithoutNonce(_ sealed: Data, key: SymmetricKey) throws -> Data? {
    guard sealed.count > tagSize else { return nil }
    let ciphertext = sealed.dropLast(tagSize)
    let zero = [UInt8](repeating: 0, count: blockSize)
    let one = zero.dropLast() + [1]
    var mask = zero
    var maskOfTwin = one
    try AES.permute(&mask, key: key)
    try AES.permute(&maskOfTwin, key: key)
    let tag = zip(sealed.suffix(tagSize), zip(mask, maskOfTwin)).map { $0 ^ $1.0 ^ $1.1 }
    let twin = try AES.GCM.SealedBox(
      nonce: AES.GCM.Nonce(data: zero.prefix(12)), ciphertext: ciphertext, tag: tag)
    guard (try? AES.GCM.open(twin, using: key)) != nil else { return nil }
    return try AES._CTR.decrypt(ciphertext, using: key, nonce: AES._CTR.Nonce(nonceBytes: one))
  }
}
