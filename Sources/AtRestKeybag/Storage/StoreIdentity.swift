import AtRestCrypto
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
    let digits = text.utf8.compactMap { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
      default: nil
      }
    }
    guard digits.count == 2 * Self.count, text.utf8.count == digits.count else { return nil }
    bytes = Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  package static func random() -> StoreIdentity {
    StoreIdentity(RandomBytes.data(count: count))
  }

  /// The identity as thirty-two lower-case hexadecimal digits, which are safe as a file name.
  public var text: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

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
