@_spi(Tools) import AtRestSecrets

/// Finds a secret in the forms in which a file can write it: as it is, escaped, in Base64, in
/// hexadecimal, as a list of numbers, and spread over lines.
package enum SecretSpelling {
  /// Returns the ranges at which a text writes a secret on one line, or none.
  static func ranges(of secret: [UInt8], in text: [UInt8]) -> [Range<Int>] {
    guard !secret.isEmpty else { return [] }
    for form in forms(of: secret) {
      let ranges = plain(form, in: text)
      if !ranges.isEmpty { return ranges }
    }
    for unescaped in unescaped(text) {
      let ranges = plain(secret, in: unescaped.bytes)
      if !ranges.isEmpty { return ranges.map(unescaped.place) }
    }
    return []
  }

  /// Returns a text without the escapes of each kind that it contains.
  static func unescaped(_ text: [UInt8]) -> [DecodedText] {
    [TextEncoding.entities, .escapes, .percent].compactMap { encoding in
      text.withUnsafeBufferPointer { encoding.decode($0) }
    }
  }

  /// Returns the secret and the other forms of it that are texts without escapes.
  package static func forms(of secret: [UInt8]) -> [[UInt8]] {
    guard secret.count >= ReportedSecrets.shortest else { return [secret] }
    let hex = ByteRun.hex.digits(of: secret)
    let upper = hex.map { $0 >= 0x61 ? $0 - 0x20 : $0 }
    return [secret, ByteRun.base64.whole(secret), hex] + (upper == hex ? [] : [upper])
  }

  /// Returns true if a text of any number of lines writes a secret, apart from blanks and quotation
  /// marks, or as a list of numbers.
  static func isWritten(_ secret: [UInt8], in text: [UInt8]) -> Bool {
    let bare = ([text] + unescaped(text).map(\.bytes)).map(bare)
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
    var numbers: [UInt8] = []
    text.withUnsafeBufferPointer { text in
      ByteRun.list.forEachRun(in: text, holding: 1) { bytes, _ in numbers += bytes }
    }
    return numbers
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
