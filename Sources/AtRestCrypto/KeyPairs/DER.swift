/// The subset of DER (ITU-T X.690) that key formats use.
@_spi(Tools) public enum DER {
  public static let integer: UInt8 = 0x02
  public static let bitString: UInt8 = 0x03
  public static let octetString: UInt8 = 0x04
  public static let null: UInt8 = 0x05
  public static let objectIdentifier: UInt8 = 0x06
  public static let sequence: UInt8 = 0x30
  /// The context-specific tags `[0]` and `[1]`, constructed, and `[1]` as an implicit bit string.
  public static let context0: UInt8 = 0xA0
  public static let context1: UInt8 = 0xA1
  public static let implicit1: UInt8 = 0x81

  /// Returns the tag and length that precede `count` bytes of content.
  public static func header(_ tag: UInt8, count: Int) -> [UInt8] {
    if count < 0x80 { return [tag, UInt8(count)] }
    var length: [UInt8] = []
    var rest = count
    while rest > 0 {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length
  }

  public static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    header(tag, count: content.count) + content
  }
}
