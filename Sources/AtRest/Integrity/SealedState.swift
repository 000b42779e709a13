import AtRestCrypto
import AtRestKeychain
import Crypto
import Foundation

/// What the keychain remembers of a sealed name. 50 bytes, `docs/Formats.md`.
struct SealedState: Equatable {
  /// The highest counter that was given out or seen: never given again.
  let highest: UInt64
  /// Of the present value.
  private let counter: UInt64
  /// The SHA-256 of the present value's code: two values may have one counter after a crash.
  private let digest: Data

  private static let version: UInt16 = 1

  private init() {
    highest = 0
    counter = 0
    digest = Data(count: 32)
  }

  init(present seal: ValueSeal, atLeast former: UInt64 = 0) {
    highest = max(seal.counter, former)
    counter = seal.counter
    digest = Data(SHA256.hash(data: seal.code))
  }

  func isPresent(_ seal: ValueSeal) -> Bool {
    counter > 0 && seal.counter == counter && Data(SHA256.hash(data: seal.code)) == digest
  }

  /// The state of a name, made where it was never sealed.
  static func get(
    _ keychain: Keychain, _ item: PrimaryKey, protection: Protection
  ) throws -> SealedState {
    try SealedState(
      decoding: keychain.getOrCreate(
        item, attributes: [.label: "Counter of a sealed value"], protection: protection
      ) { SealedState().encoded })
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
      var reader = ByteReader(bytes, name: "The counter of a sealed value")
      let version = try reader.integer(UInt16.self)
      guard version == Self.version else {
        throw AtRestError(
          .unsupportedVersion, "The counter of a sealed value has version \(version).",
          remedy: "Use a later version of AtRest.")
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
