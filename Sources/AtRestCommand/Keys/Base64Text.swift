import Foundation

/// Base64 that may contain white space, but is strict otherwise.
enum Base64Text {
  /// Decodes the text. Returns nil if a character is not in the alphabet, the padding is wrong, or
  /// the bits beyond the last byte are not zero: each value has one encoding.
  static func decode(_ text: Data) -> Data? {
    let digits = text.filter { !" \t\r\n".utf8.contains($0) }
    guard let decoded = Data(base64Encoded: digits), decoded.base64EncodedData() == digits else {
      return nil
    }
    return decoded
  }
}
