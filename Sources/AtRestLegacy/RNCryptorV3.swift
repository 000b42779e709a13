import AtRestCrypto
import Foundation

/// The data format of RNCryptor, version 3: AES-256-CBC, then HMAC-SHA-256 over everything.
///
/// RNCryptor exists for Swift, Objective-C, C#, Java, PHP, Python and other languages. All of them
/// write this version, under a password or under two keys.
///
/// ```swift
/// let plaintext = try RNCryptorV3.decrypt(Data(contentsOf: file), password: password)
/// ```
///
/// Every byte is authenticated before anything is decrypted. The keys are derived from the password
/// with only 10,000 rounds of PBKDF2-HMAC-SHA-1, far fewer than recommended today, so a weak
/// password is quickly guessed. Use this format to read existing data and to write for apps that
/// read nothing else. Seal all other data with a ``SealingKey``.
///
/// The functions have no state and are safe to call from any thread.
public enum RNCryptorV3 {
  /// Always true: a modification of any byte is detected.
  public static let isAuthenticated = true
  /// The largest plaintext that is accepted, in bytes: 1 GiB.
  public static let maximumCount = 1_073_741_824
  /// The number of rounds of PBKDF2-HMAC-SHA-1.
  public static let rounds = 10_000

  private static let version: UInt8 = 3
  private static let macSize = 32

  // The options byte. Only its lowest bit is defined.
  private enum Form: UInt8 {
    case keys = 0
    case password = 1

    var headerSize: Int { self == .keys ? 18 : 34 }
    // PKCS #7 adds at least one byte.
    var minimumSize: Int { headerSize + LegacyCipher.blockSize + macSize }
  }

  /// Returns true if the bytes begin like this format, under a password or under keys.
  ///
  /// The format's only mark is two bytes (3, then 0 or 1), so other files may begin the same way.
  public static func isRNCryptor(_ head: Data) -> Bool {
    var head = head.makeIterator()
    return head.next() == version && head.next().flatMap(Form.init) != nil
  }

  /// Encrypts under a password. Deriving the two keys takes about 10 ms.
  ///
  /// Each call uses new random salts and a new IV. The result is 67 to 82 bytes longer than the
  /// plaintext.
  ///
  /// - Parameters:
  ///   - plaintext: Up to ``maximumCount`` bytes.
  ///   - password: The bytes of the password, UTF-8 in all implementations. Must not be empty.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the password is empty or the plaintext too
  ///   long.
  public static func encrypt(
    _ plaintext: some ContiguousBytes, password: borrowing SecretBytes
  ) throws -> Data {
    guard password.count > 0 else {
      throw AtRestError.invalid(
        "The password is empty, which RNCryptor does not allow.",
        remedy: "Use a password of at least one byte.")
    }
    try check(plaintext)
    let encryptionSalt = RandomBytes.data(count: LegacyCipher.saltSize)
    let macSalt = RandomBytes.data(count: LegacyCipher.saltSize)
    return try seal(
      plaintext, .password, salts: encryptionSalt + macSalt,
      encryptionKey: derive(password, encryptionSalt), hmacKey: derive(password, macSalt))
  }

  /// Encrypts under two keys of 32 random bytes each, which must differ.
  ///
  /// The result is 51 to 66 bytes longer than the plaintext.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if a key does not have 32 bytes, both keys are
  ///   the same, or the plaintext is longer than ``maximumCount``.
  public static func encrypt(
    _ plaintext: some ContiguousBytes, encryptionKey: borrowing SecretBytes,
    hmacKey: borrowing SecretBytes
  ) throws -> Data {
    try check(plaintext)
    try check(encryptionKey, hmacKey)
    guard !encryptionKey.isEqual(to: hmacKey) else {
      throw AtRestError.invalid(
        "The encryption key and the HMAC key are the same.", remedy: "Generate two random keys.")
    }
    return try seal(
      plaintext, .keys, salts: Data(), encryptionKey: encryptionKey, hmacKey: hmacKey)
  }

  /// Authenticates and decrypts a message that was encrypted under a password.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the password is wrong or any byte was
  ///   modified (the format cannot distinguish the two); ``AtRestError/Code/damaged`` if the
  ///   message is truncated or its options are unknown; ``AtRestError/Code/unsupportedVersion`` if
  ///   the version is not 3; ``AtRestError/Code/invalidArgument`` if the message was encrypted
  ///   under keys, or is longer than ``maximumCount`` allows.
  public static func decrypt(
    _ message: some ContiguousBytes, password: borrowing SecretBytes
  ) throws -> Data {
    try message.withUnsafeBytes { bytes in
      let message = try Message(bytes, .password)
      let hmacKey = try derive(password, message.macSalt)
      try message.check(hmacKey, "The password is wrong or the data was modified")
      return try message.decrypt(derive(password, message.encryptionSalt))
    }
  }

  /// Authenticates and decrypts a message that was encrypted under two keys.
  ///
  /// - Throws: The errors of `decrypt(_:password:)`; ``AtRestError/Code/invalidArgument`` if a key
  ///   does not have 32 bytes or the message was encrypted under a password. The HMAC shows that
  ///   the HMAC key is right, not that the encryption key is. If only the encryption key is wrong,
  ///   the padding detects it in 255 of 256 cases.
  public static func decrypt(
    _ message: some ContiguousBytes, encryptionKey: borrowing SecretBytes,
    hmacKey: borrowing SecretBytes
  ) throws -> Data {
    try check(encryptionKey, hmacKey)
    return try message.withUnsafeBytes { bytes in
      let message = try Message(bytes, .keys)
      try message.check(hmacKey, "The HMAC key is wrong or the data was modified")
      return try message.decrypt(encryptionKey)
    }
  }

  private static func check(
    _ encryptionKey: borrowing SecretBytes, _ hmacKey: borrowing SecretBytes
  ) throws {
    for count in [encryptionKey.count, hmacKey.count] where count != LegacyCipher.keySize {
      throw AtRestError.invalid(
        "A key of RNCryptor has 32 bytes, not \(count).", remedy: "Use two keys of 32 bytes.")
    }
  }

  private static func derive(
    _ password: borrowing SecretBytes, _ salt: Data
  ) throws -> SecretBytes {
    try LegacyCipher.pbkdf2SHA1(password: password, salt: salt, rounds: rounds)
  }

  private static func seal(
    _ plaintext: some ContiguousBytes, _ form: Form, salts: Data,
    encryptionKey: borrowing SecretBytes, hmacKey: borrowing SecretBytes
  ) throws -> Data {
    let iv = RandomBytes.data(count: LegacyCipher.blockSize)
    var message = Data([version, form.rawValue]) + salts + iv
    message += try plaintext.withUnsafeBytes {
      try LegacyCipher.encrypt($0, key: encryptionKey, iv: iv)
    }
    message += LegacyCipher.authenticationCode(for: message, key: hmacKey)
    return message
  }

  private static func check(_ plaintext: some ContiguousBytes) throws {
    let count = plaintext.withUnsafeBytes { $0.count }
    guard count <= maximumCount else { throw tooLong(count) }
  }

  private static func tooLong(_ count: Int) -> AtRestError {
    .invalid(
      "\(count) bytes are more than can be encrypted at once (\(maximumCount)).",
      remedy: "Store large data in another format.")
  }

  /// The parts of a message, which are valid only as long as the bytes of the message.
  private struct Message {
    private let form: Form
    private let authenticated: UnsafeRawBufferPointer
    private let mac: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer, _ form: Form) throws {
      guard let version = bytes.first else {
        throw AtRestError.damaged("The RNCryptor data is empty.")
      }
      guard version == RNCryptorV3.version else {
        // The draft of version 4 begins with "RNC".
        throw Self.unsupported(bytes.starts(with: "RNC".utf8) ? 4 : version)
      }
      guard bytes.count <= maximumCount + form.minimumSize else { throw tooLong(bytes.count) }
      if bytes.count >= 2 { try Self.check(options: bytes[1], form) }
      guard bytes.count >= form.minimumSize,
        (bytes.count - form.minimumSize) % LegacyCipher.blockSize == 0
      else {
        throw AtRestError.damaged(
          "\(bytes.count) bytes are not a whole RNCryptor message, which has "
            + "\(form.minimumSize) bytes or a multiple of 16 more.")
      }
      self.form = form
      authenticated = UnsafeRawBufferPointer(rebasing: bytes.dropLast(macSize))
      mac = UnsafeRawBufferPointer(rebasing: bytes.suffix(macSize))
    }

    var encryptionSalt: Data { Data(authenticated[2..<10]) }
    var macSalt: Data { Data(authenticated[10..<18]) }

    /// Checks the HMAC in constant time.
    func check(_ key: borrowing SecretBytes, _ refusal: String) throws {
      guard LegacyCipher.isValid(mac, for: authenticated, key: key) else {
        throw AtRestError(
          .authenticationFailed, "\(refusal); RNCryptor cannot distinguish them.",
          remedy: "Try again with the right one, or restore the data from a backup.")
      }
    }

    func decrypt(_ key: borrowing SecretBytes) throws -> Data {
      let header = authenticated.prefix(form.headerSize)
      let ciphertext = UnsafeRawBufferPointer(rebasing: authenticated.dropFirst(header.count))
      let iv = Data(header.suffix(LegacyCipher.blockSize))
      guard let plaintext = LegacyCipher.decrypt(ciphertext, key: key, iv: iv) else {
        throw AtRestError(
          .authenticationFailed,
          "The data is unmodified, but its padding is wrong: the encryption key is wrong.",
          remedy: "Use the encryption key that belongs to this HMAC key.")
      }
      return plaintext
    }

    private static func check(options: UInt8, _ form: Form) throws {
      guard let found = Form(rawValue: options) else {
        throw AtRestError.damaged(
          "The RNCryptor options \(options) are unknown; 0 and 1 are defined.")
      }
      guard found == form else {
        throw AtRestError.invalid(
          found == .keys
            ? "This was encrypted under two keys, not a password."
            : "This was encrypted under a password, not two keys.",
          remedy: found == .keys ? "Use the two keys." : "Use the password.")
      }
    }

    private static func unsupported(_ version: UInt8) -> AtRestError {
      let what =
        switch version {
        case 0, 1, 2: "RNCryptor version \(version), which RNCryptor itself replaced with version 3"
        case 4: "RNCryptor version 4, a draft that was never finished"
        default: "not RNCryptor data, or has an unknown version (\(version))"
        }
      return AtRestError(
        .unsupportedVersion, "This is \(what). Only version 3 can be read.",
        remedy: version < 4
          ? "Convert it with an RNCryptor library that reads it."
          : "Check that it is RNCryptor data.")
    }
  }
}
