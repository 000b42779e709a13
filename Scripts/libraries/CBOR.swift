// Stands in for the package SwiftCBOR, of which webauthn-swift uses two calls: it encodes a map of numbers, texts, bytes
// and empty maps, and decodes such a map (RFC 8949).
import Foundation

enum CBOR {
  static func encodeMap<Key>(_ map: [Key: Any]) throws -> [UInt8] {
    try head(5, map.count) + map.flatMap { try encode($0.key) + encode($0.value) }
  }

  private static func encode(_ value: Any) throws -> [UInt8] {
    switch value {
    case let number as Int: number < 0 ? head(1, -1 - number) : head(0, number)
    case let data as Data: head(2, data.count) + data
    case let text as String: head(3, text.utf8.count) + text.utf8
    case let map as [AnyHashable: Any] where map.isEmpty: head(5, 0)
    default: throw CocoaError(.coderInvalidValue)
    }
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    switch count {
    case ..<24: [kind << 5 | UInt8(count)]
    case ..<0x100: [kind << 5 | 24, UInt8(count)]
    default: [kind << 5 | 25, UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
    }
  }

  /// Reads a value. Data becomes its Base64, as `JSONDecoder` expects it.
  static func read(_ bytes: inout ArraySlice<UInt8>) throws -> Any {
    guard let first = bytes.popFirst() else { throw CocoaError(.coderReadCorrupt) }
    let size = [24: 1, 25: 2][Int(first & 31)] ?? 0
    guard size > 0 || first & 31 < 24, bytes.count >= size else {
      throw CocoaError(.coderReadCorrupt)
    }
    let count = size == 0 ? Int(first & 31) : bytes.prefix(size).reduce(0) { $0 << 8 | Int($1) }
    bytes = bytes.dropFirst(size)
    switch first >> 5 {
    case 0: return count
    case 1: return -1 - count
    case 2, 3:
      guard bytes.count >= count else { throw CocoaError(.coderReadCorrupt) }
      let content = bytes.prefix(count)
      bytes = bytes.dropFirst(count)
      return first >> 5 == 2
        ? Data(content).base64EncodedString() : String(decoding: content, as: UTF8.self)
    case 5:
      var map: [String: Any] = [:]
      for _ in 0..<count {
        let key = try read(&bytes)
        map["\(key)"] = try read(&bytes)
      }
      return map
    default: throw CocoaError(.coderReadCorrupt)
    }
  }
}

struct CodableCBORDecoder {
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    var bytes = ArraySlice(data)
    let object = try CBOR.read(&bytes)
    return try JSONDecoder().decode(
      type, from: JSONSerialization.data(withJSONObject: object))
  }
}
