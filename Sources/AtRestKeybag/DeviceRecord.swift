import AtRestCrypto
import Foundation

/// What the device remembers of a store's keybag, outside of the store.
struct DeviceRecord {
  /// The newest keybag seen.
  var generation: UInt64
  /// Wrong attempts since the last right one.
  var failedAttempts: UInt32
  /// When the last attempt began, in seconds since 1970.
  var lastAttempt: UInt64

  static func name(_ store: StoreID) -> String { "\(store.text).keybag" }

  static func load(
    _ store: StoreID, from device: any DeviceKeyProvider
  ) throws -> DeviceRecord? {
    guard let stored = try device.recall(name(store)) else { return nil }
    let key = SecretBox(try key(store, device))
    return try stored.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The device's record of the keybag")
      let record = DeviceRecord(
        generation: try reader.integer(), failedAttempts: try reader.integer(),
        lastAttempt: try reader.integer())
      let covered = Data(bytes.prefix(reader.offset))
      let code = Data(try reader.fixed(32))
      try reader.finish()
      guard key.bytes.isValid(authenticationCode: code, for: covered) else {
        throw AtRestError.damaged("The device's record of the keybag was changed.")
      }
      return record
    }
  }

  func save(_ store: StoreID, to device: any DeviceKeyProvider) throws {
    var writer = ByteWriter(capacity: 64)
    writer.integer(generation)
    writer.integer(failedAttempts)
    writer.integer(lastAttempt)
    writer.fixed(try Self.key(store, device).authenticationCode(for: writer.data))
    try device.remember(writer.data, as: Self.name(store), durably: true)
  }

  private static func key(
    _ store: StoreID, _ device: any DeviceKeyProvider
  ) throws -> SecretBytes {
    try device.tangle(SecretBytes(store.bytes), purpose: Purpose("atrest.device-record.v1"))
  }

  /// How long to wait before the next attempt, in seconds: 1, 5, 15, 15, 60 minutes from the fifth
  /// wrong one on.
  func delay(at now: UInt64) -> UInt64 {
    let pause: UInt64 =
      switch failedAttempts {
      case 0...4: 0
      case 5: 60
      case 6: 300
      case 7, 8: 900
      default: 3600
      }
    // A clock that was set back starts the pause again.
    guard now >= lastAttempt else { return pause }
    return pause > now - lastAttempt ? pause - (now - lastAttempt) : 0
  }
}
