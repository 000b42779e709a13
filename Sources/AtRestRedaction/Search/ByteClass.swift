@_spi(Tools) import AtRestSecrets

/// The classes of a byte, as a set of bits: the things that it can be part of.
enum ByteClass {
  static let base64: UInt16 = 1 << 0
  static let base32: UInt16 = 1 << 1
  /// A hex digit, or a byte that may be between hex digits.
  static let hexRun: UInt16 = 1 << 2
  static let alphanumeric: UInt16 = 1 << 3
  static let digit: UInt16 = 1 << 4
  /// A digit, or a byte that may be between groups of digits.
  static let numberRun: UInt16 = 1 << 5
  /// The bytes that introduce the escapes of each ``TextForm``.
  static let percent: UInt16 = 1 << 6
  static let plus: UInt16 = 1 << 7
  static let backslash: UInt16 = 1 << 8
  static let ampersand: UInt16 = 1 << 9
  static let equals: UInt16 = 1 << 10
  static let lineBreak: UInt16 = 1 << 11
  static let at: UInt16 = 1 << 12
  /// A colon, or the last byte of a full-width colon.
  static let colon: UInt16 = 1 << 13
  static let greater: UInt16 = 1 << 14

  /// The classes of each byte.
  static let table: [UInt16] = (0...255).map { number in
    let byte = UInt8(number)
    func bit(_ flag: UInt16, _ holds: Bool) -> UInt16 { holds ? flag : 0 }
    func isOne(_ character: Unicode.Scalar) -> Bool { byte == UInt8(ascii: character) }
    let isLine = byte == 0x0a || byte == 0x0d
    return bit(base64, ByteRun.base64.values[number] != 0xFF || isLine)
      | bit(base32, ByteRun.base32.values[number] != 0xFF)
      | bit(hexRun, byte.hexDigit != nil || ByteRun.isBetweenHex(byte))
      | bit(alphanumeric, byte.isAlphanumeric) | bit(digit, byte.isDigit)
      | bit(numberRun, byte.isDigit || " -.".utf8.contains(byte)) | bit(percent, isOne("%"))
      | bit(plus, isOne("+")) | bit(backslash, isOne("\\")) | bit(ampersand, isOne("&"))
      | bit(equals, isOne("=")) | bit(lineBreak, isLine) | bit(at, isOne("@"))
      | bit(colon, isOne(":") || byte == 0x9A) | bit(greater, isOne(">"))
  }
}
