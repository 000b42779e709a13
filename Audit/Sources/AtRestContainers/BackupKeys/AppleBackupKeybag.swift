import AtRestCrypto
import Crypto
import CryptoExtras
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
package struct AppleBackupKeybag: Sendable {
  /// The largest keybag that is read, in bytes. Real keybags have less than 2,000 bytes.
  package static let maximumCount = 65_536
  /// The most rounds of PBKDF2-HMAC-SHA-256 that a keybag may demand. Devices demand 10,000,000.
  package static let maximumOuterRounds = 20_000_000
  /// The most rounds of PBKDF2-HMAC-SHA-1 that a keybag may demand. Devices demand 10,000.
  package static let maximumInnerRounds = 1_000_000

  /// The version of the format. Versions 3 to 5 are known.
  package let version: UInt32
  /// The classes, in the order of the bag.
  package let classes: [ClassKey]

  private let salt: Data
  private let rounds: UInt32
  private let outer: Outer?

  /// A wrapped class key, as the keybag stores it.
  package struct ClassKey: Hashable, Sendable {
    /// The number of the class: 1 to 4 for files, 6 to 12 for keychain items.
    package let number: UInt32
    /// True if the key is wrapped under the password, alone or together with the device's key.
    package let isUnderPassword: Bool
    /// True if the key is wrapped under the device's key. No password then opens it on another
    /// machine.
    package let isUnderDevice: Bool
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
  package init(_ bytes: Data) throws {
    guard bytes.count <= Self.maximumCount else {
      throw AtRestError(
        .invalidArgument, "A keybag of \(bytes.count) bytes is too large to read.",
        remedy: "Provide a keybag of at most \(Self.maximumCount) bytes.")
    }
    var bag: [String: Data] = [:]
    var classes: [[String: Data]] = []
    var rest = bytes
    while !rest.isEmpty {
      let (tag, value) = try Self.record(takenFrom: &rest, of: bytes.count)
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
      throw AtRestError.damagedBackup("This keybag is of type \(type), not that of a backup.")
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
    guard !self.classes.isEmpty else {
      throw AtRestError.damagedBackup("The keybag has no class keys.")
    }
  }

  private static let tagsOfClasses: Set = ["CLAS", "WRAP", "KTYP", "WPKY", "PBKY"]

  /// Takes the first record from the rest of a keybag.
  private static func record(
    takenFrom rest: inout Data, of total: Int
  ) throws -> (tag: String, value: Data) {
    let offset = total - rest.count
    let (tag, size) = (rest.prefix(4), rest.dropFirst(4).prefix(4))
    let count = size.reduce(0) { $0 << 8 | Int($1) }
    guard size.count == 4, rest.count - 8 >= count else {
      throw AtRestError.damagedBackup("The record at offset \(offset) of the keybag is cut off.")
    }
    let value = rest.dropFirst(8).prefix(count)
    rest = rest.dropFirst(8 + count)
    return (String(decoding: tag, as: UTF8.self), Data(value))
  }

  private static func number(_ tag: String, in records: [String: Data]) throws -> UInt32 {
    guard let value = records[tag], value.count == 4 else {
      throw AtRestError.damagedBackup("The keybag has no number \(tag).")
    }
    return value.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func salt(_ tag: String, in records: [String: Data]) throws -> Data {
    guard let value = records[tag], (8...64).contains(value.count) else {
      throw AtRestError.damagedBackup("The keybag has no salt \(tag) of 8 to 64 bytes.")
    }
    return value
  }

  private static func rounds(
    _ tag: String, in records: [String: Data], limit: Int
  ) throws -> UInt32 {
    let value = try number(tag, in: records)
    guard value >= 1, value <= limit else {
      throw AtRestError.damagedBackup(
        "The keybag demands \(value) rounds (\(tag)); 1 to \(limit) are allowed.")
    }
    return value
  }

  /// Unwraps the class keys with the backup's password.
  ///
  /// The keybag sets the number of rounds: unlocking takes 3 to 10 s for backups of iOS 10.2 and
  /// later. Call this method off the main thread.
  ///
  /// - Parameter password: The password that was typed when the backup was set up, in UTF-8.
  /// - Returns: The keys. If only some class keys unwrap, the password is right and the remaining
  ///   keys are damaged: ``AppleBackupKeys/damagedClasses`` lists them.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if no class key unwraps;
  ///   ``AtRestError/Code/invalidArgument`` if no class key is wrapped under a password, as in
  ///   backups that are not encrypted.
  package func unlock(password: borrowing SecretBytes) throws -> AppleBackupKeys {
    let underPassword = classes.filter(\.isUnderPassword)
    guard !underPassword.isEmpty else {
      throw AtRestError(
        .invalidArgument, "No key in this keybag is wrapped under a password.",
        remedy: "Read the backup without a password: it is not encrypted.")
    }
    let key = try passwordKey(password)
    var keys: [UInt32: SymmetricKey] = [:]
    var damaged: Set<UInt32> = []
    var unwrapped = 0
    for classKey in underPassword {
      guard let bytes = BackupCryptography.unwrap(classKey.wrapped, with: key) else {
        damaged.insert(classKey.number)
        continue
      }
      unwrapped += 1
      // A key that is also wrapped under the device's key is not usable after this step.
      if !classKey.isUnderDevice { keys[classKey.number] = bytes }
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

  private func passwordKey(_ password: borrowing SecretBytes) throws -> SymmetricKey {
    func derive(
      _ password: UnsafeRawBufferPointer, _ salt: Data, _ rounds: UInt32,
      _ hash: KDF.Insecure.PBKDF2.HashFunction
    ) throws -> SymmetricKey {
      try BackupCryptography.deriveKey(from: password, salt: salt, rounds: rounds, hash: hash)
    }
    return try password.withUnsafeBytes { password in
      guard let outer else { return try derive(password, salt, rounds, .insecureSHA1) }
      return try derive(password, outer.salt, outer.rounds, .sha256).withUnsafeBytes {
        try derive($0, salt, rounds, .insecureSHA1)
      }
    }
  }
}
