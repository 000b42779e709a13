import AtRestCrypto
import Foundation

/// The device's record of a store's keybag, kept outside the store: the current generation of the
/// keybag and the device's share of its effaceable key.
///
/// Both shares are drawn anew with each keybag. Once the share in this record is gone, the older
/// keybag is useless, even to someone who kept a copy of it.
package struct DeviceRecord: Sendable {
  enum State: UInt8 {
    /// The keybag of ``generation`` is the current one.
    case present = 1
    /// The next keybag is being written: either it or the current one is in place.
    case changing = 2
    /// The store was wiped and is never accepted again.
    case wiped = 3
  }

  private(set) var state: State
  /// The generation of the current keybag.
  private(set) var generation: UInt64
  private var share: SecretBox
  private var nextShare: SecretBox

  private static var noShare: SecretBox {
    SecretBox(SecretBytes(count: KeybagFile.shareCount) { _ in })
  }

  /// Creates the record of a keybag that is in place.
  package init(generation: UInt64, share: SecretBox) {
    state = .present
    self.generation = generation
    self.share = share
    nextShare = Self.noShare
  }

  /// The record of a store that was wiped.
  static var wiped: DeviceRecord {
    var record = DeviceRecord(generation: 0, share: noShare)
    record.state = .wiped
    return record
  }

  /// Returns the device's share for a keybag, or nil if that keybag is not one of those in place.
  package func share(for generation: UInt64) -> SecretBox? {
    switch state {
    case .present: generation == self.generation ? share : nil
    case .changing:
      generation == self.generation
        ? share : generation == self.generation + 1 ? nextShare : nil
    case .wiped: nil
    }
  }

  /// Returns the record for the time during which the next keybag is written.
  func beginning(_ next: SecretBox) -> DeviceRecord {
    var record = self
    record.state = .changing
    record.nextShare = next
    return record
  }

  /// Returns the record once a keybag is known to be in place, without the other keybag's share.
  func settled(on generation: UInt64) -> DeviceRecord? {
    guard state != .wiped, let share = share(for: generation) else { return nil }
    return DeviceRecord(generation: generation, share: share)
  }

  // MARK: Storage

  package static func name(_ store: StoreIdentity) -> String { "\(store.text).keybag" }

  package static func load(
    _ store: StoreIdentity, from device: any DeviceKeyProvider
  ) throws -> DeviceRecord? {
    guard var stored = try device.recall(name(store)) else { return nil }
    let bytes = SecretBox(SecretBytes(erasing: &stored))
    let key = SecretBox(try key(store, device))
    return try bytes.bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The device's record of the keybag")
      let state = State(rawValue: try reader.integer(UInt8.self))
      var record = DeviceRecord(
        generation: try reader.integer(),
        share: SecretBox(SecretBytes(copying: try reader.fixed(KeybagFile.shareCount))))
      record.nextShare = SecretBox(
        SecretBytes(copying: try reader.fixed(KeybagFile.shareCount)))
      let covered = Array(bytes.prefix(reader.offset))
      let code = Data(try reader.fixed(KeybagFile.macCount))
      try reader.finish()
      guard key.bytes.isValid(authenticationCode: code, for: covered), let state else {
        throw AtRestError.damaged(
          "The device's record of the store \(store) was modified.",
          remedy: "Put the device folder back as it was, or restore a backup into a new store.")
      }
      record.state = state
      return record
    }
  }

  func save(_ store: StoreIdentity, to device: any DeviceKeyProvider) throws {
    var stored = try encoded(store, device)
    defer { stored.erase() }
    try device.rememberErasing(stored, as: Self.name(store))
  }

  package func encoded(
    _ store: StoreIdentity, _ device: any DeviceKeyProvider
  ) throws -> Data {
    var writer = ByteWriter(capacity: 112)
    defer { writer.erase() }
    writer.integer(state.rawValue)
    writer.integer(generation)
    share.bytes.withUnsafeBytes { writer.fixed($0) }
    nextShare.bytes.withUnsafeBytes { writer.fixed($0) }
    writer.fixed(try Self.key(store, device).authenticationCode(for: writer.bytes))
    return writer.data
  }

  private static func key(
    _ store: StoreIdentity, _ device: any DeviceKeyProvider
  ) throws -> SecretBytes {
    try device.tangle(SecretBytes(store.bytes), purpose: Purpose("atrest.device-record.v1"))
  }
}
