import Foundation

/// Base64 as people and programs pass it on: with white space, and otherwise exact.
enum Base64Text {
  /// The bytes, or nil where a character is not of the alphabet, the padding is not right, or the bits
  /// beyond the last byte are not zero: each value has one form.
  static func decode(_ text: Data) -> Data? {
    let digits = text.filter { !" \t\r\n".utf8.contains($0) }
    guard let decoded = Data(base64Encoded: digits), decoded.base64EncodedData() == digits else {
      return nil
    }
    return decoded
  }
}
