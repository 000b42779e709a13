/// The subset of DER (ITU-T X.690) that key formats use.
enum DER {
  static let integer: UInt8 = 0x02
  static let bitString: UInt8 = 0x03
  static let octetString: UInt8 = 0x04
  static let null: UInt8 = 0x05
  static let objectIdentifier: UInt8 = 0x06
  static let sequence: UInt8 = 0x30
  /// The context-specific tags `[0]` and `[1]`, constructed, and `[1]` as an implicit bit string.
  static let context0: UInt8 = 0xA0
  static let context1: UInt8 = 0xA1
  static let implicit1: UInt8 = 0x81

  /// Returns the tag and length that precede `count` bytes of content.
  static func header(_ tag: UInt8, count: Int) -> [UInt8] {
    if count < 0x80 { return [tag, UInt8(count)] }
    var length: [UInt8] = []
    var rest = count
    while rest > 0 {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length
  }

  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    header(tag, count: content.count) + content
  }
}
