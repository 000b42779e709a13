@_spi(Tools) import AtRestCrypto
import Foundation

/// A JSON value. A stamp authenticates the whole tree, so everything that a person reads in the
/// file is authenticated, including members that the value's type omits.
enum JSONTree: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer that is too large for ``integer(_:)``.
  case unsigned(UInt64)
  case number(Double)
  case text(String)
  case array([JSONTree])
  case object([String: JSONTree])

  /// Writes the canonical bytes of the tree, which do not depend on the spacing, the order of keys
  /// or the form of numbers in a file. See `docs/Formats.md`.
  func write(into writer: inout ByteWriter) {
    switch self {
    case .null: writer.integer(UInt8(0))
    case .bool(let value):
      writer.integer(UInt8(1))
      writer.integer(UInt8(value ? 1 : 0))
    case .integer(let value):
      writer.integer(UInt8(2))
      writer.integer(value)
    case .unsigned(let value):
      writer.integer(UInt8(3))
      writer.integer(value)
    case .number(let value):
      writer.integer(UInt8(4))
      writer.integer(value.bitPattern)
    case .text(let value):
      writer.integer(UInt8(5))
      writer.counted(utf8: value)
    case .array(let values):
      writer.integer(UInt8(6))
      writer.integer(UInt32(values.count))
      for value in values { value.write(into: &writer) }
    case .object(let members):
      writer.integer(UInt8(7))
      writer.integer(UInt32(members.count))
      for (key, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
      {
        writer.counted(utf8: key)
        value.write(into: &writer)
      }
    }
  }
}

extension JSONTree: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Double.self) {
      // Digits beyond the precision of a `Double` would be shown but not authenticated.
      if let exact = try? container.decode(Decimal.self), Decimal(string: "\(value)") != exact {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "A number has more digits than a double can represent.")
      }
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let values = try? container.decode([JSONTree].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }
}
