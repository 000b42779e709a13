@_spi(Tools) import AtRestCrypto
import Foundation

/// The stamp that authenticates a stamped value.
public struct ValueStamp: Codable, Hashable, Sendable {
  /// The version of the layout, 1.
  public let version: Int
  /// The name under which the program stamped the value. The value cannot be opened under another
  /// name.
  public let name: String
  /// The name of the value's type.
  public let type: String
  /// The number of times that the name was stamped.
  public let counter: UInt64
  /// The method: `hmac-sha256`, or the name of a ``SignatureScheme``.
  public let method: String
  /// The identity of the key, in hexadecimal.
  public let key: String
  /// The authentication code or signature.
  public let code: Data

  static let label = "atrest.stamped-value-statement.v1"
  static let present = 1

  func statement(_ value: JSONTree) -> Data {
    var writer = ByteWriter(capacity: 512)
    writer.counted(utf8: Self.label)
    writer.counted(utf8: name)
    writer.counted(utf8: type)
    writer.integer(counter)
    writer.counted(utf8: method)
    writer.counted(utf8: key)
    value.write(into: &writer)
    return writer.data
  }
}
