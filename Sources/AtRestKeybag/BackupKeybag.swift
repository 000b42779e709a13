@_spi(Tools) import AtRestCrypto
import Foundation

/// The class keys of a backup, wrapped under the backup's passphrase.
///
/// A backup has its own keys for each class. For classes that are bound to the device, the wrapping
/// key also depends on the device key, so these class keys unwrap on no other device, even with the
/// passphrase. A backup does not contain the when-passcode-set class.
///
/// The backup also carries the class keys with which the store wraps the keys of files, so that the
/// files open in the store into which the backup is restored.
package struct BackupKeybag: Sendable {
  private static let magic = Data("AtRestBK".utf8)
  private static let version: UInt16 = 1

  /// The maximum size in bytes.
  package static let countLimit = 1 << 20

  /// Returns true if bytes begin like a backup.
  package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The keybag's size comes first.
    bytes.dropFirst(4).prefix(magic.count).elementsEqual(magic)
  }

  /// The identity of the backup.
  package let id: Data
  /// The keys by class. Keys bound to another device are missing.
  package let keys: [KeyClass: SecretBox]
  /// True if the backup was made on this device.
  package let isOfThisDevice: Bool
  /// The class keys of files in a backup that was read, of its store and its predecessors. Empty for
  /// a new backup, which needs them only wrapped.
  package let fileKeys: [FileKeySet]
  /// The key that seals the names of items that a restore leaves out.
  package let nameKey: SecretBox
  /// The key that seals the end of the backup.
  package let endKey: SecretBox
  /// The encoded keybag at the beginning of the backup.
  package let encoded: Data

  /// The classes that a backup contains.
  package static var classes: [KeyClass] {
    KeyClass.allCases.filter { $0 != .whenPasscodeSetThisDeviceOnly }
  }

  /// Creates the keybag of a new backup.
  package init(
    passphrase: borrowing SecretBytes, kdf: PasswordKDF, device: any DeviceKeyProvider,
    fingerprint: Data, fileKeys: [FileKeySet]
  ) throws {
    guard passphrase.count > 0 else {
      throw AtRestError.invalid(
        "The backup's passphrase is empty.", remedy: "Choose one that only you know.")
    }
    try kdf.checkForeignBounds()
    let salt = RandomBytes.data(count: 16)
    let root = try kdf.deriveKey(from: passphrase, salt: salt)
    id = RandomBytes.data(count: 16)
    isOfThisDevice = true
    var keys: [KeyClass: SecretBox] = [:]
    var writer = ByteWriter(capacity: 768 + 256 * fileKeys.count)
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
    writer.integer(UInt16(fileKeys.count))
    for set in fileKeys { try set.encode(into: &writer, wrappedUnder: root) }
    writer.fixed(root.derive(.backupAuthentication).authenticationCode(for: writer.data))
    self.keys = keys
    self.fileKeys = []
    nameKey = SecretBox(root.derive(.backupName))
    endKey = SecretBox(root.derive(.backupEnd))
    encoded = writer.data
  }

  /// Reads the keybag of a backup.
  ///
  /// If the header demands a higher cost than ``PasswordKDF/isWithinForeignBounds`` allows, no key
  /// is derived.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong or the keybag
  ///   was modified (the two cannot be distinguished); ``AtRestError/Code/damaged`` if the header
  ///   is malformed or demands too high a cost; ``AtRestError/Code/unsupportedVersion``.
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
      throw AtRestError.unsupported(name, version: found, known: Self.version)
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
        throw AtRestError.damaged("\(name) has an unknown class \(number).")
      }
      wrapped.append((keyClass, Data(try reader.fixed(40))))
    }
    var wrappedSets: [FileKeySet.Wrapped] = []
    for _ in 0..<(try reader.integer(UInt16.self)) {
      wrappedSets.append(try FileKeySet.Wrapped(from: &reader, name: name))
    }
    let covered = Data(bytes.prefix(reader.offset))
    let code = Data(try reader.fixed(32))
    encoded = Data(bytes.prefix(reader.offset))
    let root = try kdf.deriveKey(from: passphrase, salt: salt)
    guard root.derive(.backupAuthentication).isValid(authenticationCode: code, for: covered)
    else {
      throw AtRestError(
        .authenticationFailed,
        "\(name) does not open with this passphrase, or its header was modified.",
        remedy: "Try the passphrase again. If it is right, use another copy of the backup.")
    }
    var keys: [KeyClass: SecretBox] = [:]
    for (keyClass, wrapped) in wrapped where keyClass.isMigratable || isOfThisDevice {
      keys[keyClass] = SecretBox(
        try Self.wrappingKey(keyClass, root, device)
          .unwrap(wrapped, name: "Class key \(keyClass.name) of \(name)"))
    }
    self.keys = keys
    fileKeys = try wrappedSets.map { try $0.unwrapped(under: root, name: name) }
    nameKey = SecretBox(root.derive(.backupName))
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
  static let backupName = Purpose("atrest.backup-name.v1")
  static let backupEnd = Purpose("atrest.backup-end.v1")
  static let backupWrap = Purpose("atrest.backup-wrap.v1")
}
