@_spi(Tools) import AtRestCrypto
import Foundation

/// The device's record of a store's keybag, kept outside the store: the current generation of the
/// keybag, and the device's share of the effaceable key.
///
/// The effaceable key has two shares: one in the keybag, and one in this record. Both are generated
/// anew for each generation of the keybag. Once the device's share for an older keybag is erased,
/// that keybag cannot be opened, even from a copy.
package struct DeviceRecord: Sendable {
  enum State: UInt8 {
    /// The keybag of ``generation`` is the current one.
    case present = 1
    /// The next keybag is being written: the store has either the current keybag or the next one.
    case changing = 2
    /// The store was wiped and is never accepted again.
    case wiped = 3
    /// The store is being created: its first keybag may be missing. Nothing has been stored in it.
    case creating = 4
  }

  private(set) var state: State
  /// The generation of the current keybag.
  private(set) var generation: UInt64
  private var share: SecretBox
  private var nextShare: SecretBox

  private static var noShare: SecretBox {
    SecretBox(SecretBytes(count: KeybagFile.shareCount) { _ in })
  }

  /// Creates the record of the current keybag.
  package init(generation: UInt64, share: SecretBox) {
    state = .present
    self.generation = generation
    self.share = share
    nextShare = Self.noShare
  }

  /// The record to save before the first keybag is written.
  var creating: DeviceRecord {
    var record = self
    record.state = .creating
    return record
  }

  /// The record of a store that was wiped.
  static var wiped: DeviceRecord {
    var record = DeviceRecord(generation: 0, share: noShare)
    record.state = .wiped
    return record
  }

  /// Returns the device's share for the keybag of a generation, or nil if that keybag is neither
  /// the current one nor the one being written.
  package func share(for generation: UInt64) -> SecretBox? {
    switch state {
    case .present, .creating: generation == self.generation ? share : nil
    case .changing:
      generation == self.generation
        ? share : generation == self.generation + 1 ? nextShare : nil
    case .wiped: nil
    }
  }

  /// Returns the record to save while the next keybag is being written.
  func beginning(_ next: SecretBox) -> DeviceRecord {
    var record = self
    record.state = .changing
    record.nextShare = next
    return record
  }

  /// Returns the record to save once it is known which keybag the store has. It contains only the
  /// share for that keybag. The result is nil if this record has no such share.
  func settled(on generation: UInt64) -> DeviceRecord? {
    guard state != .wiped, let share = share(for: generation) else { return nil }
    return DeviceRecord(generation: generation, share: share)
  }

  // MARK: Storage

  static let suffix = ".keybag"

  package static func name(_ store: StoreIdentity) -> String { store.text + suffix }

  /// True if an encoded record has a share of an effaceable key.
  static func isSecret(_ encoded: Data, name: String) -> Bool {
    name.hasSuffix(suffix) && encoded.first != State.wiped.rawValue
  }

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
    // The record of a wiped store has no secret. If this fails, memory of the TPM stays in use, which
    // `atrest device counters` shows.
    if state == .wiped { try? device.releaseHardware(for: Self.name(store)) }
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
