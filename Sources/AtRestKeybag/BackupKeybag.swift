import AtRestCrypto
import Foundation

/// The class keys of a backup, wrapped under its passphrase.
///
/// A backup has keys of its own for each class. Those of classes bound to the device are tangled
/// with its key besides, so that they open on no other device, whoever knows the passphrase. The
/// when-passcode-set class is in no backup.
package struct BackupKeybag: Sendable {
  private static let magic = Data("AtRestBK".utf8)
  private static let version: UInt16 = 1

  /// The identity of the backup.
  package let id: Data
  /// Keys by class; those of another device are missing.
  package let keys: [KeyClass: SecretBox]
  /// True if the backup was made on this device.
  package let isOfThisDevice: Bool
  /// Seals the end of the backup.
  package let endKey: SecretBox
  /// The keybag as it stands at the head of the backup.
  package let encoded: Data

  /// The classes that a backup has.
  package static var classes: [KeyClass] {
    KeyClass.allCases.filter { $0 != .whenPasscodeSetThisDeviceOnly }
  }

  /// Makes the keybag of a new backup.
  package init(
    passphrase: borrowing SecretBytes, kdf: PasswordKDF, device: any DeviceKeyProvider,
    fingerprint: Data
  ) throws {
    guard passphrase.count > 0 else {
      throw AtRestError.invalid(
        "The backup's passphrase is empty.", remedy: "Give a phrase that only you know.")
    }
    try kdf.checkForeignBounds()
    let salt = RandomBytes.data(count: 16)
    let root = try kdf.deriveKey(from: passphrase, salt: salt)
    id = RandomBytes.data(count: 16)
    isOfThisDevice = true
    var keys: [KeyClass: SecretBox] = [:]
    var writer = ByteWriter(capacity: 768)
    writer.fixed(Self.magic)
    writer.integer(Self.version)
    writer.fixed(id)
    writer.fixed(fingerprint)
    writer.fixed(kdf.encoded)
    writer.fixed(salt)
    writer.integer(UInt8(Self.classes.count))
    for keyClass in Self.classes {
      let key = SecretBytes.random(count: 32)
      writer.integer(keyClass.rawValue)
      writer.fixed(try Self.wrappingKey(keyClass, root, device).wrap(key))
      keys[keyClass] = SecretBox(key)
    }
    writer.fixed(root.derive(.backupAuthentication).authenticationCode(for: writer.data))
    self.keys = keys
    endKey = SecretBox(root.derive(.backupEnd))
    encoded = writer.data
  }

  /// Reads the keybag of a backup.
  ///
  /// Nothing is derived for a head that demands more than ``PasswordKDF/isWithinForeignBounds`` allows.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong or the keybag
  ///   was changed, which cannot be distinguished; ``AtRestError/Code/damaged`` if the head makes
  ///   no sense or demands too much; ``AtRestError/Code/unsupportedVersion``.
  package init(
    reading bytes: UnsafeRawBufferPointer, passphrase: borrowing SecretBytes,
    device: any DeviceKeyProvider, fingerprint: Data, name: String
  ) throws {
    var reader = ByteReader(bytes, name: name)
    guard try reader.fixed(8).elementsEqual(Self.magic) else {
      throw AtRestError.damaged("\(name) is not a backup.")
    }
    let found = try reader.integer(UInt16.self)
    guard found == Self.version else {
      throw AtRestError(
        .unsupportedVersion, "\(name) has version \(found), and \(Self.version) is known.",
        remedy: "Use a later version of AtRest.")
    }
    id = Data(try reader.fixed(16))
    isOfThisDevice = try reader.fixed(8).elementsEqual(fingerprint)
    let kdf = try PasswordKDF.decoded(
      from: Data(try reader.fixed(PasswordKDF.encodedCount)), demandedBy: name)
    let salt = Data(try reader.fixed(16))
    var wrapped: [(KeyClass, Data)] = []
    for _ in 0..<(try reader.integer(UInt8.self)) {
      let number = try reader.integer(UInt8.self)
      guard let keyClass = KeyClass(rawValue: number) else {
        throw AtRestError.damaged("\(name) has a class \(number) that is not known.")
      }
      wrapped.append((keyClass, Data(try reader.fixed(40))))
    }
    let covered = Data(bytes.prefix(reader.offset))
    let code = Data(try reader.fixed(32))
    encoded = Data(bytes.prefix(reader.offset))
    let root = try kdf.deriveKey(from: passphrase, salt: salt)
    guard root.derive(.backupAuthentication).isValid(authenticationCode: code, for: covered)
    else {
      throw AtRestError(
        .authenticationFailed,
        "\(name) does not open with this passphrase, or its head was changed.",
        remedy: "Try the passphrase again; if it is the right one, use another copy.")
    }
    var keys: [KeyClass: SecretBox] = [:]
    for (keyClass, wrapped) in wrapped where keyClass.isMigratable || isOfThisDevice {
      keys[keyClass] = SecretBox(
        try Self.wrappingKey(keyClass, root, device)
          .unwrap(wrapped, name: "Class key \(keyClass.name) of \(name)"))
    }
    self.keys = keys
    endKey = SecretBox(root.derive(.backupEnd))
  }

  private static func wrappingKey(
    _ keyClass: KeyClass, _ root: borrowing SecretBytes, _ device: any DeviceKeyProvider
  ) throws -> WrappingKey {
    let key = root.derive(.backupWrap, context: Data([keyClass.rawValue]))
    guard !keyClass.isMigratable else { return try WrappingKey(key) }
    return try WrappingKey(
      device.tangle(key, purpose: Purpose("atrest.backup-this-device-only.v1")))
  }
}

extension Purpose {
  static let backupAuthentication = Purpose("atrest.backup-authentication.v1")
  static let backupEnd = Purpose("atrest.backup-end.v1")
  static let backupWrap = Purpose("atrest.backup-wrap.v1")
}
