import Foundation

/// The keybag of a device backup: class keys, each wrapped under the backup's password.
///
/// The `Manifest.plist` of an encrypted backup stores it as `BackupKeyBag`. A record is a tag of 4
/// bytes, a big-endian length of 4 bytes, and the value. The bag's own records come first, and each
/// `UUID` after the first begins a class. Apple never published the format; it is known from public
/// research (*iphone-dataprotection*).
///
/// ```swift
/// let keybag = try AppleBackupKeybag(manifest.backupKeyBag)
/// let keys = try keybag.unlock(password: password)
/// let cipher = try keys.cipher(wrappedKey: wrapped, class: 3, name: "Manifest.db")
/// ```
///
/// - Warning: The keybag as a whole is **unauthenticated**. Each wrapped key shows on its own
///   whether it was modified. A modified salt or number of rounds looks like a wrong password.
///
/// A value type: safe to use from any thread.
public struct AppleBackupKeybag: Sendable {
  /// The largest keybag that is read, in bytes. Real keybags have less than 2,000 bytes.
  public static let maximumCount = 65_536
  /// The most rounds of PBKDF2-HMAC-SHA-256 that a keybag may demand. Devices demand 10,000,000.
  public static let maximumOuterRounds = 20_000_000
  /// The most rounds of PBKDF2-HMAC-SHA-1 that a keybag may demand. Devices demand 10,000.
  public static let maximumInnerRounds = 1_000_000

  /// The version of the format. Versions 3 to 5 are known.
  public let version: UInt32
  /// The classes, in the order of the bag.
  public let classes: [ClassKey]

  private let salt: Data
  private let rounds: UInt32
  private let outer: Outer?

  /// A wrapped class key, as the keybag stores it.
  public struct ClassKey: Hashable, Sendable {
    /// The number of the class: 1 to 4 for files, 6 to 12 for keychain items.
    public let number: UInt32
    /// True if the key is wrapped under the password, alone or together with the device's key.
    public let isUnderPassword: Bool
    /// True if the key is wrapped under the device's key. No password then opens it on another
    /// machine.
    public let isUnderDevice: Bool
    let wrapped: Data
  }

  /// The first derivation, which iOS 10.2 added: PBKDF2-HMAC-SHA-256.
  private struct Outer {
    let salt: Data
    let rounds: UInt32
  }

  /// Reads a keybag without deriving any key.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a record is cut off, if a required record is missing
  ///   or has the wrong size, if the keybag is not that of a backup, or if the rounds are out of
  ///   bounds; ``AtRestError/Code/invalidArgument`` if it is longer than ``maximumCount``.
  public init(_ bytes: some ContiguousBytes) throws {
    self = try bytes.withUnsafeBytes { try AppleBackupKeybag(parsing: $0) }
  }

  private init(parsing bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count <= Self.maximumCount else {
      throw AtRestError.invalid(
        "A keybag of \(bytes.count) bytes is too large to read.",
        remedy: "Provide a keybag of at most \(Self.maximumCount) bytes.")
    }
    var bag: [String: Data] = [:]
    var classes: [[String: Data]] = []
    var reader = ByteReader(bytes, name: "The keybag")
    while reader.remaining > 0 {
      let tag = String(decoding: try reader.fixed(4), as: UTF8.self)
      let value = Data(try reader.counted(limit: Self.maximumCount))
      if tag == "UUID", bag["UUID"] != nil {
        classes.append([:])
      } else if !classes.isEmpty, Self.tagsOfClasses.contains(tag) {
        classes[classes.count - 1][tag] = value
      } else {
        bag[tag] = value
      }
    }
    version = try Self.number("VERS", in: bag)
    // The upper two bits are flags.
    let type = try Self.number("TYPE", in: bag) & 0x3FFF_FFFF
    guard type == 1 else {
      throw AtRestError.damaged("This keybag is of type \(type), not that of a backup.")
    }
    salt = try Self.salt("SALT", in: bag)
    rounds = try Self.rounds("ITER", in: bag, limit: Self.maximumInnerRounds)
    outer =
      if bag["DPIC"] != nil || bag["DPSL"] != nil {
        try Outer(
          salt: Self.salt("DPSL", in: bag),
          rounds: Self.rounds("DPIC", in: bag, limit: Self.maximumOuterRounds))
      } else {
        nil
      }
    self.classes = try classes.map { records in
      let wrap = try Self.number("WRAP", in: records)
      return ClassKey(
        number: try Self.number("CLAS", in: records) & 0xF, isUnderPassword: wrap & 2 != 0,
        isUnderDevice: wrap & 1 != 0, wrapped: records["WPKY"] ?? Data())
    }
    guard !self.classes.isEmpty else { throw AtRestError.damaged("The keybag has no class keys.") }
  }

  private static let tagsOfClasses: Set = ["CLAS", "WRAP", "KTYP", "WPKY", "PBKY"]

  private static func number(_ tag: String, in records: [String: Data]) throws -> UInt32 {
    guard let value = records[tag], value.count == 4 else {
      throw AtRestError.damaged("The keybag has no number \(tag).")
    }
    return value.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func salt(_ tag: String, in records: [String: Data]) throws -> Data {
    guard let value = records[tag], (8...64).contains(value.count) else {
      throw AtRestError.damaged("The keybag has no salt \(tag) of 8 to 64 bytes.")
    }
    return value
  }

  private static func rounds(
    _ tag: String, in records: [String: Data], limit: Int
  ) throws -> UInt32 {
    let value = try number(tag, in: records)
    guard value >= 1, value <= limit else {
      throw AtRestError.damaged(
        "The keybag demands \(value) rounds (\(tag)); 1 to \(limit) are allowed.")
    }
    return value
  }

  /// Unwraps the class keys with the backup's password.
  ///
  /// The keybag sets the number of rounds: 3 to 10 s for backups of iOS 10.2 and later. Call this
  /// method off the main thread.
  ///
  /// - Parameter password: The password that was typed when the backup was set up, in UTF-8.
  /// - Returns: The keys. If only some class keys unwrap, the password is right and the remaining
  ///   keys are damaged: ``AppleBackupKeys/damagedClasses`` lists them.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if no class key unwraps;
  ///   ``AtRestError/Code/invalidArgument`` if no class key is wrapped under a password, as in
  ///   backups that are not encrypted.
  public func unlock(password: borrowing SecretBytes) throws -> AppleBackupKeys {
    let underPassword = classes.filter(\.isUnderPassword)
    guard !underPassword.isEmpty else {
      throw AtRestError.invalid(
        "No key in this keybag is wrapped under a password.",
        remedy: "Read the backup without a password: it is not encrypted.")
    }
    let key = try WrappingKey(passwordKey(password))
    var keys: [UInt32: SecretBox] = [:]
    var damaged: Set<UInt32> = []
    var unwrapped = 0
    for classKey in underPassword {
      guard classKey.wrapped.count == LegacyCipher.keySize + WrappingKey.overhead,
        let bytes = try? key.unwrap(classKey.wrapped, name: "The class key")
      else {
        damaged.insert(classKey.number)
        continue
      }
      unwrapped += 1
      // A key that is also wrapped under the device's key is not usable after this step.
      if !classKey.isUnderDevice { keys[classKey.number] = SecretBox(bytes) }
    }
    guard unwrapped > 0 else {
      throw AtRestError(
        .authenticationFailed, "The password does not open the backup.",
        remedy: "Try again. A damaged salt in the keybag looks the same as a wrong password.")
    }
    return AppleBackupKeys(
      keys: keys, damagedClasses: damaged,
      deviceClasses: Set(classes.filter(\.isUnderDevice).map(\.number)))
  }

  private func passwordKey(_ password: borrowing SecretBytes) throws -> SecretBytes {
    guard let outer else {
      return try LegacyCipher.pbkdf2SHA1(password: password, salt: salt, rounds: Int(rounds))
    }
    let first = try LegacyCipher.pbkdf2SHA256(
      password: password, salt: outer.salt, rounds: outer.rounds)
    return try LegacyCipher.pbkdf2SHA1(password: first, salt: salt, rounds: Int(rounds))
  }
}
