import Foundation

/// Writes DER as keychain items have it.
indirect enum DER {
  case string(String)
  case data(Data)
  case integer(Int8)
  case boolean(Bool)
  case date(String)
  case dictionary([(String, DER)])

  var encoded: Data {
    switch self {
    case .string(let text): Self.value(0x0C, Data(text.utf8))
    case .data(let data): Self.value(0x04, data)
    case .integer(let number): Self.value(0x02, Data([UInt8(bitPattern: number)]))
    case .boolean(let flag): Self.value(0x01, Data([flag ? 0xFF : 0]))
    case .date(let text): Self.value(0x18, Data(text.utf8))
    case .dictionary(let entries):
      Self.value(
        0x31,
        entries.reduce(Data()) {
          $0 + Self.value(0x30, DER.string($1.0).encoded + $1.1.encoded)
        })
    }
  }

  private static func value(_ tag: UInt8, _ body: Data) -> Data {
    let length =
      body.count < 128
      ? Data([UInt8(body.count)]) : Data([0x82, UInt8(body.count >> 8), UInt8(body.count & 0xFF)])
    return Data([tag]) + length + body
  }
}
