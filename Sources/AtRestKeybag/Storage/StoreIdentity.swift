@_spi(Tools) import AtRestCrypto
import Foundation

/// The random identity of a store: 16 bytes, drawn when the store is created.
///
/// Pass the identity to `Keybag.open(at:device:expecting:)` to refuse any other store in the
/// folder, even one of the same device.
public struct StoreIdentity: Hashable, Sendable, CustomStringConvertible {
  static let count = 16

  package let bytes: Data

  package init(_ bytes: Data) { self.bytes = bytes }

  /// Creates an identity from its ``text`` form, in upper or lower case.
  ///
  /// The result is nil if the text is not 32 hexadecimal digits.
  public init?(text: String) {
    guard let bytes = Data(hexadecimal: text), bytes.count == Self.count else { return nil }
    self.bytes = bytes
  }

  package static func random() -> StoreIdentity {
    StoreIdentity(RandomBytes.data(count: count))
  }

  /// The identity as thirty-two lower-case hexadecimal digits, which are safe as a file name.
  public var text: String { bytes.hexadecimal }

  public var description: String { text }
}

extension StoreIdentity: Codable {
  /// Decodes the ``text`` form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let identity = StoreIdentity(text: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Not the identity of a store.")
    }
    self = identity
  }

  /// Encodes the ``text`` form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
