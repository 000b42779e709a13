import AtRestCrypto
import Foundation

/// The byte strings under which a secret may appear in a program's output: as it is, each line of it
/// without white space around, and as the usual programs write it in hexadecimal, Base64,
/// percent-encoding, JSON, HTML, the source code of Python, and UTF-16.
enum OutputForm {
  /// The length of the shortest secret, and of the shortest line of one, that is masked. Masking
  /// shorter ones would hide ordinary text.
  static let shortest = 4

  /// Calls a closure with a secret and with each line of it, as they are.
  static func forEachPlain(
    of secret: borrowing SecretBytes, _ body: (borrowing SecretBytes) -> Void
  ) {
    secret.withUnsafeBytes { whole in
      let bytes = trimmed(whole)
      guard bytes.count >= shortest else { return }
      body(SecretBytes(copying: bytes))
      for line in lines(of: bytes) where line.count >= shortest {
        body(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: line)))
      }
    }
  }

  /// Calls a closure with each form of a secret. The same bytes may be passed more than once.
  static func forEach(
    of secret: borrowing SecretBytes, _ body: (borrowing SecretBytes) -> Void
  ) {
    forEachPlain(of: secret, body)
    secret.withUnsafeBytes { whole in
      let bytes = trimmed(whole)
      guard bytes.count >= shortest else { return }
      for digits in ["0123456789abcdef", "0123456789ABCDEF"] {
        let digits = Array(digits.utf8)
        body(escaped(bytes) { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        for kept in ["", "/"] {
          let kept = Array(kept.utf8)
          body(escaped(bytes) { kept.contains($0) ? [$0] : percent($0, digits) })
        }
        body(escaped(bytes) { inPython($0, digits) })
      }
      escapedTexts(of: bytes, body)
      for alphabet in ["+/", "-_"] {
        for offset in 0..<3 { body(base64(bytes, after: offset, alphabet)) }
      }
    }
  }

  /// True if the secret, or one of its lines, is too short to be masked.
  static func hasShortPart(_ secret: borrowing SecretBytes) -> Bool {
    secret.withUnsafeBytes { whole in
      let bytes = trimmed(whole)
      return bytes.count < shortest || lines(of: bytes).contains { $0.count < shortest }
    }
  }

  /// Returns the lines of a secret that has several, without white space around them and without empty
  /// lines.
  private static func lines(of bytes: UnsafeRawBufferPointer) -> [Slice<UnsafeRawBufferPointer>] {
    let lines = bytes.split(whereSeparator: isNewline)
    guard lines.count > 1 else { return [] }
    return lines.compactMap { line in
      guard let first = line.firstIndex(where: { !isSpace($0) }),
        let last = line.lastIndex(where: { !isSpace($0) })
      else { return nil }
      return line[first...last]
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  /// Returns the bytes without the newlines at the end.
  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var count = bytes.count
    while count > 0, isNewline(bytes[count - 1]) { count -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
  }

  private static func isNewline(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }

  private static func percent(_ byte: UInt8, _ digits: [UInt8]) -> [UInt8] {
    let isUnreserved =
      (48...57).contains(byte) || (65...90).contains(byte & 0xDF) && byte < 0x80
      || "-._~".utf8.contains(byte)
    return isUnreserved
      ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// Returns the form of a byte inside a string of JSON.
  static func inJSON(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
    case 10: Array("\\n".utf8)
    case 13: Array("\\r".utf8)
    case 9: Array("\\t".utf8)
    case 0..<32: Array(String(format: "\\u%04x", byte).utf8)
    default: [byte]
    }
  }

  /// Returns the bytes with each of them replaced by a closure.
  static func escaped(
    _ bytes: UnsafeRawBufferPointer, _ escape: (UInt8) -> [UInt8]
  ) -> SecretBytes {
    let count = bytes.reduce(0) { $0 + escape($1).count }
    return SecretBytes(count: count) { result in
      var offset = 0
      for byte in bytes {
        for part in escape(byte) {
          result[offset] = part
          offset += 1
        }
      }
    }
  }

  /// Returns those characters of Base64 that depend only on the secret, if it follows `offset`
  /// other bytes.
  private static func base64(
    _ bytes: UnsafeRawBufferPointer, after offset: Int, _ last: String
  ) -> SecretBytes {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last
    let alphabet = Array(letters.utf8)
    let first = (offset * 8 + 5) / 6
    let end = (offset + bytes.count) * 8 / 6
    func bit(_ index: Int) -> UInt8 {
      bytes[index / 8 - offset] >> UInt8(7 - index % 8) & 1
    }
    return SecretBytes(count: end - first) { result in
      for position in first..<end {
        let value = (0..<6).reduce(UInt8(0)) { $0 << 1 | bit(position * 6 + $1) }
        result[position - first] = alphabet[Int(value)]
      }
    }
  }
}
