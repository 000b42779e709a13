import AtRestAuditModel
import Foundation

/// Finds a secret in the forms in which a file can write it: as it is, escaped, in Base64, in
/// hexadecimal, as a list of numbers, and spread over lines.
enum SecretSpelling {
  /// Returns the ranges at which a text writes a secret on one line, or none.
  static func ranges(of secret: [UInt8], in text: [UInt8]) -> [Range<Int>] {
    guard !secret.isEmpty else { return [] }
    for form in forms(of: secret) {
      let ranges = plain(form, in: text)
      if !ranges.isEmpty { return ranges }
    }
    for style in UnescapedText.styles {
      guard let unescaped = UnescapedText(text, style) else { continue }
      let ranges = plain(secret, in: unescaped.bytes)
      if !ranges.isEmpty { return ranges.map(unescaped.written) }
    }
    return []
  }

  /// Returns the secret and the other forms of it that are texts without escapes.
  static func forms(of secret: [UInt8]) -> [[UInt8]] {
    guard secret.count >= ReportedSecrets.shortest else { return [secret] }
    let hex = secret.flatMap { byte in
      [byte >> 4, byte & 15].map { Array("0123456789abcdef".utf8)[Int($0)] }
    }
    let upper = hex.map { $0 >= 0x61 ? $0 - 0x20 : $0 }
    var base64 = Array(Data(secret).base64EncodedString().utf8)
    while base64.last == UInt8(ascii: "=") { base64.removeLast() }
    return [secret, base64, hex] + (upper == hex ? [] : [upper])
  }

  /// Returns true if a text of any number of lines writes a secret, apart from blanks and quotation
  /// marks, or as a list of numbers.
  static func isWritten(_ secret: [UInt8], in text: [UInt8]) -> Bool {
    let texts = [text] + UnescapedText.styles.compactMap { UnescapedText(text, $0)?.bytes }
    let bare = texts.map(bare)
    return forms(of: secret).map(self.bare).contains { form in
      bare.contains { $0.contains(form) }
    } || numbers(in: text) == secret
  }

  /// The text without blanks and without what is between two parts of a string.
  private static func bare(_ text: [UInt8]) -> [UInt8] {
    text.filter { $0 > 0x20 && !Array("\"@#'\\=".utf8).contains($0) }
  }

  /// Returns the bytes that a text lists as numbers.
  private static func numbers(in text: [UInt8]) -> [UInt8] {
    text.split { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: false
      default: true
      }
    }.compactMap { word in
      let digits = String(decoding: word, as: UTF8.self).lowercased()
      return digits.hasPrefix("0x") ? UInt8(digits.dropFirst(2), radix: 16) : UInt8(digits)
    }
  }

  private static func plain(_ secret: [UInt8], in text: [UInt8]) -> [Range<Int>] {
    guard text.count >= secret.count else { return [] }
    var ranges: [Range<Int>] = []
    var index = 0
    while index + secret.count <= text.count {
      if text[index] == secret[0], text[index..<index + secret.count].elementsEqual(secret) {
        ranges.append(index..<index + secret.count)
        index += secret.count
      } else {
        index += 1
      }
    }
    return ranges
  }
}
