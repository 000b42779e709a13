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
    return bit(base64, byte.base64Digit != nil || isLine) | bit(base32, byte.base32Digit != nil)
      | bit(hexRun, byte.hexDigit != nil || byte.isBetweenHex)
      | bit(alphanumeric, byte.isAlphanumeric) | bit(digit, byte.isDigit)
      | bit(numberRun, byte.isDigit || " -.".utf8.contains(byte)) | bit(percent, isOne("%"))
      | bit(plus, isOne("+")) | bit(backslash, isOne("\\")) | bit(ampersand, isOne("&"))
      | bit(equals, isOne("=")) | bit(lineBreak, isLine) | bit(at, isOne("@"))
      | bit(colon, isOne(":") || byte == 0x9A) | bit(greater, isOne(">"))
  }

  /// The values of base64 digits, of base32 digits and of hex digits; 0xFF for other bytes.
  static let base64Values: [UInt8] = (0...255).map { UInt8($0).base64Digit ?? 0xFF }
  static let base32Values: [UInt8] = (0...255).map { UInt8($0).base32Digit ?? 0xFF }
  static let hexValues: [UInt8] = (0...255).map { UInt8($0).hexDigit ?? 0xFF }
}

extension UInt8 {
  fileprivate var base64Digit: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  fileprivate var base32Digit: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a")
    case UInt8(ascii: "2")...UInt8(ascii: "7"): self - UInt8(ascii: "2") + 26
    default: nil
    }
  }

  /// True for bytes between hex digits: separators, line breaks, and the `x` of `0x41`.
  @inline(__always) var isBetweenHex: Bool {
    switch self {
    case 0x20, 0x3A, 0x2C, 0x2D, 0x78, 0x58, 0x0A, 0x0D: true
    default: false
    }
  }
}
