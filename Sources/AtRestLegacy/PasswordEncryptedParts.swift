import AtRestCrypto
import Foundation

/// Data encrypted under a password and stored in three parts: AES-256-CBC ciphertext, IV and salt.
///
/// Apps that use CommonCrypto write this format, following code examples that are passed around.
/// The key is PBKDF2-HMAC-SHA-512 of the password with 14,271 rounds and 8 bytes of salt, and the
/// padding is PKCS #7. The parts are stored separately, or as one property list with the keys
/// `EncryptionData`, `EncryptionIV` and `EncryptionSalt`.
///
/// ```swift
/// let parts = try PasswordEncryptedParts(propertyList: Data(contentsOf: file))
/// let plaintext = try parts.decrypt(password: password)
/// ```
///
/// - Warning: **Unauthenticated.** Modified parts are not detected. Only the padding reveals a
///   wrong password, and about 1 wrong password in 256 passes this check and decrypts to noise.
///   Anyone who can write the parts can change the plaintext. A service that reveals whether
///   ``decrypt(password:blockMode:)`` succeeded lets an attacker read the plaintext bit by bit (a
///   padding oracle). Use this type to read existing data, then seal the data with a
///   ``SealingKey``.
///
/// A value type: safe to use from any thread.
public struct PasswordEncryptedParts: Hashable, Sendable {
  /// Always false: modified parts are not detected.
  public static let isAuthenticated = false
  /// The largest plaintext that is accepted, in bytes: 256 MiB.
  public static let maximumCount = 268_435_456
  /// The number of rounds of PBKDF2-HMAC-SHA-512.
  public static let rounds = 14_271

  /// The ciphertext: a multiple of 16 bytes, at least 16.
  public let encryptedData: Data
  /// The CBC IV: 16 bytes, random, not secret.
  public let initializationVector: Data
  /// The PBKDF2 salt: 8 bytes, random, not secret.
  public let salt: Data

  /// The ways to chain the blocks.
  public enum BlockMode: Sendable {
    /// Cipher block chaining: the mode described above, and the only one that AtRest writes.
    case cbc
    /// Electronic code book: each block is encrypted independently, and the IV is unused.
    ///
    /// Code that passes `kCCOptionPKCS7Padding + kCCModeCBC` to `CCCrypt` writes this form.
    /// `kCCModeCBC` is 2 and belongs to another function; `CCCrypt` takes the 2 for
    /// `kCCOptionECBMode`. AtRest reads this mode but never writes it, because equal plaintext
    /// blocks give equal ciphertext blocks.
    case ecb
  }

  /// Creates the value from its three parts.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a part does not have the size that this format
  ///   requires;
  ///   ``AtRestError/Code/invalidArgument`` if the ciphertext is longer than ``maximumCount``
  ///   allows.
  public init(encryptedData: Data, initializationVector: Data, salt: Data) throws {
    guard encryptedData.count <= Self.maximumCount + LegacyCipher.blockSize else {
      throw Self.tooLong(encryptedData.count)
    }
    guard !encryptedData.isEmpty, encryptedData.count % LegacyCipher.blockSize == 0 else {
      throw Self.wrongSize("encrypted data", encryptedData.count, "a multiple of 16, and not 0")
    }
    guard initializationVector.count == LegacyCipher.blockSize else {
      throw Self.wrongSize("initialization vector", initializationVector.count, "16")
    }
    guard salt.count == LegacyCipher.saltSize else {
      throw Self.wrongSize("salt", salt.count, "8")
    }
    self.encryptedData = encryptedData
    self.initializationVector = initializationVector
    self.salt = salt
  }

  /// Encrypts data for an app that reads this format. Use ``SealingKey`` for data that only your
  /// app reads.
  ///
  /// Deriving the key takes about 12 ms. Each call uses a new random salt and IV.
  ///
  /// - Parameters:
  ///   - plaintext: Up to ``maximumCount`` bytes.
  ///   - password: The bytes of the password, which are UTF-8 in all known apps. Must not be empty.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the password is empty or the plaintext too
  ///   long.
  public static func encrypt(
    _ plaintext: some ContiguousBytes, password: borrowing SecretBytes
  ) throws -> PasswordEncryptedParts {
    guard password.count > 0 else {
      throw AtRestError.invalid(
        "The password is empty.", remedy: "Use a password of at least one byte.")
    }
    return try plaintext.withUnsafeBytes { plaintext in
      guard plaintext.count <= maximumCount else { throw tooLong(plaintext.count) }
      let salt = RandomBytes.data(count: LegacyCipher.saltSize)
      let iv = RandomBytes.data(count: LegacyCipher.blockSize)
      return try PasswordEncryptedParts(
        encryptedData: LegacyCipher.encrypt(plaintext, key: key(password, salt), iv: iv),
        initializationVector: iv, salt: salt)
    }
  }

  /// Decrypts the data, **without detecting whether it was modified**.
  ///
  /// Only the padding reveals a wrong password. About 1 wrong password in 256 passes this check and
  /// decrypts to noise. Modified parts may decrypt to other data. Deriving the key takes about 12
  /// ms.
  ///
  /// - Parameters:
  ///   - password: The bytes of the password.
  ///   - blockMode: ``BlockMode/cbc``, or ``BlockMode/ecb`` for apps that use it by mistake. The
  ///     parts do not show which mode was used.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the padding is wrong, whatever the
  ///   cause.
  public func decrypt(
    password: borrowing SecretBytes, blockMode: BlockMode = .cbc
  ) throws -> Data {
    let key = try Self.key(password, salt)
    let plaintext = encryptedData.withUnsafeBytes { ciphertext in
      switch blockMode {
      case .cbc: LegacyCipher.decrypt(ciphertext, key: key, iv: initializationVector)
      case .ecb: LegacyCipher.decryptUnchained(ciphertext, key: key)
      }
    }
    guard let plaintext else {
      throw AtRestError(
        .authenticationFailed,
        "The password is wrong or the data was modified; this format cannot distinguish them.",
        remedy: "Try the password again, or try the other block mode: some apps used ECB.")
    }
    return plaintext
  }

  private static func key(
    _ password: borrowing SecretBytes, _ salt: Data
  ) throws -> SecretBytes {
    try LegacyCipher.pbkdf2SHA512(password: password, salt: salt, rounds: UInt32(rounds))
  }

  private static func wrongSize(_ part: String, _ count: Int, _ expected: String) -> AtRestError {
    .damaged("The \(part) has \(count) bytes; expected \(expected).")
  }

  private static func tooLong(_ count: Int) -> AtRestError {
    .invalid(
      "\(count) bytes exceed the limit of this format (\(maximumCount)).",
      remedy: "Store large data in another format.")
  }
}
