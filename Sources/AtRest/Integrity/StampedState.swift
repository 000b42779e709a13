@_spi(Tools) import AtRestCrypto
import AtRestKeychain
import Crypto
import Foundation

/// The state that the keychain keeps for each stamped name, 50 bytes long. See `docs/Formats.md`.
struct StampedState: Equatable {
  /// The highest counter that was ever issued or seen. New stamps use higher counters.
  let highest: UInt64
  /// The counter of the current value.
  private let counter: UInt64
  /// The SHA-256 of the authentication code or signature of the current value. The counter alone
  /// does not identify the value, because after a crash two values may have the same counter.
  private let digest: Data

  private static let version: UInt16 = 1

  private init() {
    highest = 0
    counter = 0
    digest = Data(count: 32)
  }

  init(present stamp: ValueStamp, atLeast former: UInt64 = 0) {
    highest = max(stamp.counter, former)
    counter = stamp.counter
    digest = Data(SHA256.hash(data: stamp.code))
  }

  func isPresent(_ stamp: ValueStamp) -> Bool {
    counter > 0 && stamp.counter == counter && Data(SHA256.hash(data: stamp.code)) == digest
  }

  /// Returns the state of a name, or creates it if the name was never stamped.
  static func get(
    _ keychain: Keychain, _ item: PrimaryKey, of owner: ItemOwner?, protection: ItemProtection
  ) throws -> StampedState {
    try StampedState(
      decoding: keychain.getOrCreate(
        item, for: owner, attributes: [.label: "Counter of a stamped value"],
        protection: protection
      ) { StampedState().encoded })
  }

  var encoded: SecretBytes {
    var writer = ByteWriter(capacity: 50)
    writer.integer(Self.version)
    writer.integer(highest)
    writer.integer(counter)
    writer.fixed(digest)
    return SecretBytes(writer.bytes)
  }

  init(decoding secret: borrowing SecretBytes) throws {
    (highest, counter, digest) = try secret.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The counter of a stamped value")
      let version = try reader.integer(UInt16.self)
      guard version == Self.version else {
        throw AtRestError.unsupported(
          "The counter of a stamped value", version: version, known: Self.version)
      }
      let fields = (
        try reader.integer(UInt64.self), try reader.integer(UInt64.self),
        Data(try reader.fixed(32))
      )
      try reader.finish()
      return fields
    }
  }
}
