import Foundation

@_spi(Tools) extension Sequence<UInt8> {
  /// The bytes as hexadecimal digits, in lower case.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

@_spi(Tools) extension Data {
  /// Decodes hexadecimal digits. The result is nil if there is any other character.
  public init?(hexadecimal text: some StringProtocol) {
    let digits = text.utf8.compactMap(SecretBytes.value(ofHexadecimal:))
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self.init(
      stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }
}
