import AtRestCrypto
import Foundation

/// The keybag as it lies on disk: `docs/Formats.md`, *Keybag*.
struct KeybagFile {
  static let magic = Data("AtRestKB".utf8)
  static let version: UInt16 = 1
  static let macCount = 32

  struct Entry {
    /// Drawn anew with each class key, so that what an older key sealed is known to be lost.
    var id: UInt64
    /// The public half, for class B.
    var publicKey: Data
    var wrapped: Data
  }

  var generation: UInt64
  var store: StoreID
  var device: Data
  var hasPasscode: Bool
  var attemptLimit: UInt16
  var kdf: PasswordKDF
  var salt: Data
  var entries: [KeyClass: Entry]

  func encoded(authenticatedBy key: borrowing SecretBytes) -> Data {
    var writer = ByteWriter(capacity: 1024)
    writer.fixed(Self.magic)
    writer.integer(Self.version)
    writer.integer(generation)
    writer.fixed(store.bytes)
    writer.fixed(device)
    writer.integer(UInt8(hasPasscode ? 1 : 0))
    writer.integer(attemptLimit)
    writer.fixed(kdf.encoded)
    writer.fixed(salt)
    writer.integer(UInt8(entries.count))
    for (keyClass, entry) in entries.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      writer.integer(keyClass.rawValue)
      writer.integer(entry.id)
      if keyClass == .completeUnlessOpen { writer.fixed(entry.publicKey) }
      writer.fixed(entry.wrapped)
    }
    writer.fixed(key.authenticationCode(for: writer.data))
    return writer.data
  }

  /// Reads and authenticates; parses nothing beyond the identity before the code was checked.
  static func decoded(
    _ data: Data, location: String, store: StoreID, device: Data,
    authenticatedBy key: borrowing SecretBytes
  ) throws -> KeybagFile {
    let name = "The keybag in \(location)"
    // A noncopyable value cannot be captured by an escaping closure; a shared one can.
    let body = data.prefix(max(0, data.count - macCount))
    let isAuthentic = key.isValid(authenticationCode: data.suffix(macCount), for: body)
    return try data.withUnsafeBytes { bytes in
      var reader = ByteReader(
        UnsafeRawBufferPointer(rebasing: bytes.prefix(body.count)), name: name)
      guard try reader.fixed(8).elementsEqual(magic) else {
        throw AtRestError.damaged("\(name) is not a keybag.")
      }
      let found = try reader.integer(UInt16.self)
      guard found == version else {
        throw AtRestError(
          .unsupportedVersion, "\(name) has version \(found), and \(version) is known.",
          remedy: "Use a later version of AtRest.")
      }
      let generation = try reader.integer(UInt64.self)
      let foundStore = Data(try reader.fixed(16))
      let foundDevice = Data(try reader.fixed(8))
      guard isAuthentic else {
        if foundDevice != device {
          throw AtRestError.damaged(
            "\(name) belongs to another device.",
            remedy: "Use it with its own device key, or restore a backup made on that device.")
        }
        if foundStore != store.bytes {
          throw AtRestError.damaged(
            "\(name) belongs to another store.", remedy: "Put the store's own keybag back.")
        }
        throw AtRestError.damaged(
          "\(name) was changed or cut off: its authentication code does not match.")
      }
      let flags = try reader.integer(UInt8.self)
      let limit = try reader.integer(UInt16.self)
      let kdf = try PasswordKDF.decoded(from: Data(try reader.fixed(PasswordKDF.encodedCount)))
      let salt = Data(try reader.fixed(16))
      var entries: [KeyClass: Entry] = [:]
      for _ in 0..<(try reader.integer(UInt8.self)) {
        let number = try reader.integer(UInt8.self)
        guard let keyClass = KeyClass(rawValue: number) else {
          throw AtRestError.damaged("\(name) has a class \(number) that is not known.")
        }
        let id = try reader.integer(UInt64.self)
        let publicKey =
          keyClass == .completeUnlessOpen ? Data(try reader.fixed(32)) : Data()
        let wrapped = Data(try reader.fixed(40))
        entries[keyClass] = Entry(id: id, publicKey: publicKey, wrapped: wrapped)
      }
      try reader.finish()
      return KeybagFile(
        generation: generation, store: store, device: device, hasPasscode: flags & 1 == 1,
        attemptLimit: limit, kdf: kdf, salt: salt, entries: entries)
    }
  }
}

/// The random identity of a store.
package struct StoreID: Hashable, Sendable {
  package let bytes: Data
  package init(_ bytes: Data) { self.bytes = bytes }
  package static func random() -> StoreID { StoreID(RandomBytes.data(count: 16)) }
  /// Lower-case hexadecimal, safe as a file name.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// The effaceable storage: the one small file whose destruction makes a store unreadable.
enum EffaceableFile {
  static let name = "effaceable"
  private static let magic = Data("AtRestEF".utf8)
  private static let version: UInt16 = 1

  static func encoded(
    store: StoreID, key: borrowing SecretBytes, device: any DeviceKeyProvider
  ) throws -> Data {
    var writer = ByteWriter(capacity: 96)
    defer { writer.erase() }
    writer.fixed(magic)
    writer.integer(version)
    writer.fixed(store.bytes)
    key.withUnsafeBytes { writer.fixed($0) }
    writer.fixed(try checkKey(device).authenticationCode(for: writer.data))
    return writer.data
  }

  static func decoded(
    _ stored: inout Data, location: String, device: any DeviceKeyProvider
  ) throws -> (store: StoreID, key: SecretBox) {
    defer { stored.resetBytes(in: 0..<stored.count) }
    let name = "The effaceable key in \(location)"
    let checkKey = SecretBox(try checkKey(device))
    return try stored.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: name)
      guard try reader.fixed(8).elementsEqual(magic), try reader.integer(UInt16.self) == version
      else { throw AtRestError.damaged("\(name) is not one, or of a later version.") }
      let store = StoreID(Data(try reader.fixed(16)))
      let key = SecretBox(SecretBytes(copying: try reader.fixed(32)))
      let covered = Data(bytes.prefix(reader.offset))
      let code = Data(try reader.fixed(32))
      try reader.finish()
      guard checkKey.bytes.isValid(authenticationCode: code, for: covered) else {
        throw AtRestError.damaged(
          "\(name) was changed, or belongs to another device.",
          remedy: "Use the store with its own device key, or restore a backup.")
      }
      return (store, key)
    }
  }

  private static func checkKey(_ device: any DeviceKeyProvider) throws -> SecretBytes {
    try device.tangle(SecretBytes(utf8: "effaceable"), purpose: .init("atrest.effaceable.v1"))
  }
}
