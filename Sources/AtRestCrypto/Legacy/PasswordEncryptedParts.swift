import Foundation

/// Data under a password in three parts, as apps have kept it: AES-256-CBC, its IV and its salt.
///
/// The form that is handed round for CommonCrypto: the key is PBKDF2-HMAC-SHA-512 of the password,
/// 14,271 rounds and 8 bytes of salt; the padding is PKCS #7. The parts are kept apart, or as one
/// property list with the keys `EncryptionData`, `EncryptionIV` and `EncryptionSalt`.
///
/// ```swift
/// let parts = try PasswordEncryptedParts(propertyList: Data(contentsOf: file))
/// let plaintext = try parts.decrypt(password: password)
/// ```
///
/// - Warning: **Unauthenticated.** Nothing shows that the parts are those that were written. A wrong
///   password is noticed by the padding alone, and about 1 in 256 is not: what comes out then is
///   noise. Whoever can write the parts can change the plaintext. A service that tells others
///   whether ``decrypt(password:blockMode:)`` succeeded lets them read the plaintext bit by bit
///   (a padding oracle). Read what exists, and keep it anew under ``SealingKey``.
///
/// A value: safe to use from any thread.
public struct PasswordEncryptedParts: Hashable, Sendable {
  /// False: a change of the parts goes unnoticed.
  public static let isAuthenticated = false
  /// The most plaintext that is taken, in bytes: 256 MiB.
  public static let maximumCount = 268_435_456
  /// Rounds of PBKDF2-HMAC-SHA-512.
  public static let rounds = 14_271

  /// The ciphertext: a multiple of 16 bytes, 16 at least.
  public let encryptedData: Data
  /// The IV of CBC: 16 bytes, random, not secret.
  public let initializationVector: Data
  /// The salt of PBKDF2: 8 bytes, random, not secret.
  public let salt: Data

  /// How the blocks were chained.
  public enum BlockMode: Sendable {
    /// Cipher block chaining: the format as it is described, and the only mode that is written.
    case cbc
    /// Electronic code book: each block for itself, and the IV unused.
    ///
    /// What is written by code that passes `kCCOptionPKCS7Padding + kCCModeCBC` to `CCCrypt`. The
    /// sum is 3; among the options 2 is `kCCOptionECBMode`, while `kCCModeCBC` belongs to another
    /// call. To be read only: equal blocks of such data show in its ciphertext.
    case ecb
  }

  /// Takes the three parts.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a part has another size than this format gives it;
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

  /// Encrypts for an app that reads this format; use ``SealingKey`` for what only you read.
  ///
  /// Takes about 12 ms for the key. Draws a new salt and IV each time.
  ///
  /// - Parameters:
  ///   - plaintext: Up to ``maximumCount`` bytes.
  ///   - password: Its bytes, UTF-8 in all apps known; not empty.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the password is empty or the plaintext too
  ///   long.
  public static func encrypt(
    _ plaintext: some ContiguousBytes, password: borrowing SecretBytes
  ) throws -> PasswordEncryptedParts {
    guard password.count > 0 else {
      throw AtRestError.invalid(
        "An empty password protects nothing.", remedy: "Give a password of one byte at least.")
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

  /// Decrypts, **without knowing whether anything was changed**.
  ///
  /// A wrong password is noticed by the padding only: about 1 in 256 is not, and gives noise. Changed
  /// parts may decrypt to something else. Takes about 12 ms for the key.
  ///
  /// - Parameters:
  ///   - password: The bytes that it was encrypted under.
  ///   - blockMode: ``BlockMode/cbc``, or ``BlockMode/ecb`` for apps that set it unawares. The parts
  ///     do not say which it was.
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
        "The password is wrong or the data was changed; this format cannot tell them apart.",
        remedy: "Try the password again; try the other block mode, since some apps used ECB.")
    }
    return plaintext
  }

  private static func key(
    _ password: borrowing SecretBytes, _ salt: Data
  ) throws -> SecretBytes {
    try LegacyCipher.pbkdf2SHA512(password: password, salt: salt, rounds: UInt32(rounds))
  }

  private static func wrongSize(_ part: String, _ count: Int, _ expected: String) -> AtRestError {
    .damaged("The \(part) has \(count) bytes, where their number should be \(expected).")
  }

  private static func tooLong(_ count: Int) -> AtRestError {
    .invalid(
      "\(count) bytes are more than this format is used for here (\(maximumCount)).",
      remedy: "Keep large data in another format.")
  }
}
