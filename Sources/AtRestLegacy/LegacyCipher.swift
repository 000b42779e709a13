import AtRestCrypto
import Crypto
import Foundation

/// The building blocks of the legacy formats: AES-256-CBC with PKCS #7 padding, and PBKDF2 at the
/// low costs of these formats. Encrypt new data with them only for apps that read nothing else.
enum LegacyCipher {
  static let blockSize = 16
  static let keySize = 32
  static let saltSize = 8

  static func encrypt(
    _ plaintext: UnsafeRawBufferPointer, key: borrowing SecretBytes, iv: Data
  ) throws -> Data {
    try Remains.erased(after: .cipher) {
      try AES._CBC.encrypt(
        plaintext, using: key.symmetricKey(), iv: AES._CBC.IV(ivBytes: iv))
    }
  }

  /// Returns the plaintext, or nil if the padding is wrong. swift-crypto checks the padding in
  /// constant time.
  static func decrypt(
    _ ciphertext: UnsafeRawBufferPointer, key: borrowing SecretBytes, iv: Data
  ) -> Data? {
    Remains.erased(after: .cipher) {
      try? AES._CBC.decrypt(
        ciphertext, using: key.symmetricKey(), iv: AES._CBC.IV(ivBytes: iv))
    }
  }

  /// Decrypts blocks that were encrypted independently of each other (ECB).
  static func decryptUnchained(
    _ ciphertext: UnsafeRawBufferPointer, key: borrowing SecretBytes
  ) -> Data? {
    Remains.erased(after: .cipher) {
      let key = key.symmetricKey()
      let zero = Data(count: blockSize)
      let last = UnsafeRawBufferPointer(rebasing: ciphertext.suffix(blockSize))
      // For a single block, CBC with an IV of zeros equals ECB. The last block is decrypted this
      // way to check its padding. For the whole message, CBC decryption XORs each block with the
      // ciphertext block before it, which the loop undoes.
      guard let iv = try? AES._CBC.IV(ivBytes: zero),
        let end = try? AES._CBC.decrypt(last, using: key, iv: iv),
        var plaintext = try? AES._CBC.decrypt(ciphertext, using: key, iv: iv, noPadding: true)
      else { return nil }
      plaintext.withUnsafeMutableBytes { plaintext in
        for index in blockSize..<plaintext.count {
          plaintext[index] ^= ciphertext[index - blockSize]
        }
      }
      return plaintext.dropLast(blockSize - end.count)
    }
  }

  /// PBKDF2-HMAC-SHA-1, which only old formats need.
  static func pbkdf2SHA1(
    password: borrowing SecretBytes, salt: Data, rounds: Int
  ) throws -> SecretBytes {
    do {
      return SecretBytes(
        try password.withUnsafeBytes { password in
          try PBKDF2.key(
            from: password, salt: salt, .insecureSHA1, rounds: rounds, count: keySize)
        })
    } catch {
      throw AtRestError(
        .invalidArgument, "PBKDF2-HMAC-SHA1 could not be computed.",
        remedy: "Check that the machine has enough memory.", cause: error)
    }
  }

  /// PBKDF2-HMAC-SHA-512 with fewer rounds than ``PasswordKDF`` requires for new data.
  static func pbkdf2SHA512(
    password: borrowing SecretBytes, salt: Data, rounds: UInt32
  ) throws -> SecretBytes {
    try PasswordKDF.unchecked(.pbkdf2SHA512, cost: rounds)
      .deriveKey(from: password, salt: salt, count: keySize)
  }

  static func authenticationCode(for message: Data, key: borrowing SecretBytes) -> Data {
    key.authenticationCode(for: message)
  }

  static func isValid(
    _ code: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, key: borrowing SecretBytes
  ) -> Bool {
    key.isValid(authenticationCode: code, for: message)
  }
}
