import Foundation

/// The data format of RNCryptor, version 3: AES-256-CBC, then HMAC-SHA-256 over everything.
///
/// RNCryptor exists for Swift, Objective-C, C#, Java, PHP, Python and more; all of them write this
/// version, under a password or under two keys.
///
/// ```swift
/// let plaintext = try RNCryptorV3.decrypt(Data(contentsOf: file), password: password)
/// ```
///
/// Every byte is authenticated, and checked before anything is decrypted. The password is stretched
/// by 10,000 rounds of PBKDF2-HMAC-SHA-1 only, a sixtieth of what is asked for today, so a weak one
/// is soon guessed: read what exists, write it for apps that read nothing else, and keep the rest
/// under ``SealingKey``.
///
/// Functions without state: safe to call from any thread.
public enum RNCryptorV3 {
  /// True: a change of any byte is noticed.
  public static let isAuthenticated = true
  /// The most plaintext that is taken, in bytes: 1 GiB.
  public static let maximumCount = 1_073_741_824
  /// Rounds of PBKDF2-HMAC-SHA-1.
  public static let rounds = 10_000

  private static let version: UInt8 = 3
  private static let macSize = 32

  // The options byte; no bit but the lowest is defined.
  private enum Form: UInt8 {
    case keys = 0
    case password = 1

    var headerSize: Int { self == .keys ? 18 : 34 }
    // PKCS #7 adds a byte at least.
    var minimumSize: Int { headerSize + LegacyCipher.blockSize + macSize }
  }

  /// Returns true if bytes begin as this format does, under a password or keys.
  ///
  /// Two bytes are all the mark that it has (3, then 0 or 1), so other files may begin so too.
  public static func isRNCryptor(_ head: Data) -> Bool {
    var head = head.makeIterator()
    return head.next() == version && head.next().flatMap(Form.init) != nil
  }

  /// Encrypts under a password. Takes about 10 ms for the keys.
  ///
  /// Draws new salts and a new IV each time. The result is 67 to 82 bytes longer than the plaintext.
  ///
  /// - Parameters:
  ///   - plaintext: Up to ``maximumCount`` bytes.
  ///   - password: Its bytes, UTF-8 in all implementations; not empty.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the password is empty or the plaintext too
  ///   long.
  public static func encrypt(
    _ plaintext: some ContiguousBytes, password: borrowing SecretBytes
  ) throws -> Data {
    guard password.count > 0 else {
      throw AtRestError.invalid(
        "RNCryptor has no empty passwords.", remedy: "Give a password of one byte at least.")
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
  /// - Throws: ``AtRestError/Code/invalidArgument`` if a key has another size, both are one key,
  ///   or the plaintext is longer than ``maximumCount``.
  public static func encrypt(
    _ plaintext: some ContiguousBytes, encryptionKey: borrowing SecretBytes,
    hmacKey: borrowing SecretBytes
  ) throws -> Data {
    try check(plaintext)
    try check(encryptionKey, hmacKey)
    guard !encryptionKey.isEqual(to: hmacKey) else {
      throw AtRestError.invalid(
        "The encryption key and the HMAC key are the same.", remedy: "Draw two random keys.")
    }
    return try seal(
      plaintext, .keys, salts: Data(), encryptionKey: encryptionKey, hmacKey: hmacKey)
  }

  /// Checks and decrypts what was encrypted under a password.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the password is wrong or any byte was
  ///   changed, which cannot be told apart; ``AtRestError/Code/damaged`` if the bytes are cut off
  ///   or their options unknown; ``AtRestError/Code/unsupportedVersion`` if the version is not 3;
  ///   ``AtRestError/Code/invalidArgument`` if it was encrypted under keys, or is longer than
  ///   ``maximumCount`` allows.
  public static func decrypt(
    _ message: some ContiguousBytes, password: borrowing SecretBytes
  ) throws -> Data {
    try message.withUnsafeBytes { bytes in
      let message = try Message(bytes, .password)
      let hmacKey = try derive(password, message.macSalt)
      try message.check(hmacKey, "The password is wrong or the data was changed")
      return try message.decrypt(derive(password, message.encryptionSalt))
    }
  }

  /// Checks and decrypts what was encrypted under two keys.
  ///
  /// - Throws: What `decrypt(_:password:)` throws; ``AtRestError/Code/invalidArgument`` if a key
  ///   has not 32 bytes or it was encrypted under a password. The HMAC vouches for the HMAC key, not
  ///   for the encryption key: a wrong one beside the right HMAC key is noticed by the padding, 255
  ///   times in 256.
  public static func decrypt(
    _ message: some ContiguousBytes, encryptionKey: borrowing SecretBytes,
    hmacKey: borrowing SecretBytes
  ) throws -> Data {
    try check(encryptionKey, hmacKey)
    return try message.withUnsafeBytes { bytes in
      let message = try Message(bytes, .keys)
      try message.check(hmacKey, "The HMAC key is wrong or the data was changed")
      return try message.decrypt(encryptionKey)
    }
  }

  private static func check(
    _ encryptionKey: borrowing SecretBytes, _ hmacKey: borrowing SecretBytes
  ) throws {
    for count in [encryptionKey.count, hmacKey.count] where count != LegacyCipher.keySize {
      throw AtRestError.invalid(
        "A key of RNCryptor has 32 bytes, not \(count).", remedy: "Give two keys of 32 bytes.")
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
      "\(count) bytes are more than are encrypted at once (\(maximumCount)).",
      remedy: "Keep large data in another format.")
  }

  /// A message taken apart; it lives as long as its bytes.
  private struct Message {
    private let form: Form
    private let authenticated: UnsafeRawBufferPointer
    private let mac: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer, _ form: Form) throws {
      guard let version = bytes.first else {
        throw AtRestError.damaged("There are no bytes, where RNCryptor data should be.")
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
          "\(bytes.count) bytes are no whole RNCryptor data, which has \(form.minimumSize) and a "
            + "multiple of 16 more.")
      }
      self.form = form
      authenticated = UnsafeRawBufferPointer(rebasing: bytes.dropLast(macSize))
      mac = UnsafeRawBufferPointer(rebasing: bytes.suffix(macSize))
    }

    var encryptionSalt: Data { Data(authenticated[2..<10]) }
    var macSalt: Data { Data(authenticated[10..<18]) }

    /// Compares in constant time.
    func check(_ key: borrowing SecretBytes, _ refusal: String) throws {
      guard LegacyCipher.isValid(mac, for: authenticated, key: key) else {
        throw AtRestError(
          .authenticationFailed, "\(refusal); RNCryptor cannot tell them apart.",
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
          "The data is unchanged, but its padding is wrong: the encryption key is another.",
          remedy: "Give the encryption key that belongs to this HMAC key.")
      }
      return plaintext
    }

    private static func check(options: UInt8, _ form: Form) throws {
      guard let found = Form(rawValue: options) else {
        throw AtRestError.damaged("RNCryptor options \(options) are not known: 0 and 1 are.")
      }
      guard found == form else {
        throw AtRestError.invalid(
          found == .keys
            ? "This was encrypted under two keys, not a password."
            : "This was encrypted under a password, not two keys.",
          remedy: found == .keys ? "Give the two keys." : "Give the password.")
      }
    }

    private static func unsupported(_ version: UInt8) -> AtRestError {
      let what =
        switch version {
        case 0, 1, 2: "RNCryptor version \(version), which RNCryptor itself replaced by 3"
        case 4: "RNCryptor version 4, a draft that was never settled"
        default: "not RNCryptor data, or of an unknown version (\(version))"
        }
      return AtRestError(
        .unsupportedVersion, "This is \(what); version 3 is read.",
        remedy: version < 4
          ? "Convert it with an RNCryptor library that reads it."
          : "Check that it is RNCryptor data.")
    }
  }
}
