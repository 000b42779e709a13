import AtRestCrypto
import CAtRestSystem
import Foundation

/// Encodes values as bytes, and decodes them.
enum ValueCoder {
  static func encode<Value>(_ value: Value, _ record: VaultRecord<Value>) throws -> SecretBytes {
    switch value {
    case let data as Data: return SecretBytes(data)
    case let string as String: return SecretBytes(utf8: string)
    default:
      do {
        var json = try JSONEncoder().encode(value)
        defer { json.erase() }
        if record.isPassword != false {
          try PasswordNames.check(fieldsOf: value, json: json, record: record.name)
        }
        return SecretBytes(erasing: &json)
      } catch let error as AtRestError {
        throw error
      } catch {
        throw AtRestError(
          .invalidArgument, "The value for \"\(record.name)\" cannot be encoded as JSON.",
          remedy: "See the cause. Numbers must be finite.", cause: withheld(error))
      }
    }
  }

  static func decode<Value: Codable>(
    _: Value.Type, _ bytes: UnsafeRawBufferPointer, _ name: String
  ) throws -> Value {
    func wrongType(_ cause: (any Error)?) -> AtRestError {
      AtRestError(
        .invalidArgument, "The value \"\(name)\" cannot be read as \(Value.self).",
        remedy: "Read it as the type that was stored.", cause: cause)
    }
    if Value.self == Data.self { return Data(bytes) as! Value }
    if Value.self == String.self {
      guard let string = String(validating: bytes, as: UTF8.self) else { throw wrongType(nil) }
      return string as! Value
    }
    var json = Data(bytes)
    defer { json.erase() }
    do {
      return try JSONDecoder().decode(Value.self, from: json)
    } catch let error as DecodingError {
      throw wrongType(withheld(error))
    }
  }
}

extension Data {
  /// Overwrites the bytes if no other `Data` shares them, and empties this one.
  mutating func erase() {
    withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { atrest_erase(start, bytes.count) }
    }
    self = Data()
  }
}
