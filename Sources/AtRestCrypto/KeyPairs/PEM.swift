import Foundation

/// A PEM block (RFC 7468), decoded and encoded only in locked memory.
struct PEM: ~Copyable {
  let label: String
  let content: SecretBytes

  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)
  private static let dashes = Array("-----".utf8)
  private static let lineCount = 64

  init(label: String, content: consuming SecretBytes) {
    self.label = label
    self.content = content
  }

  static func isPresent(in bytes: UnsafeRawBufferPointer) -> Bool {
    firstIndex(of: begin, in: bytes, from: 0) != nil
  }

  /// Reads the first block, or the second if the first is `EC PARAMETERS`, which OpenSSL writes
  /// before SEC 1 keys.
  init(reading bytes: UnsafeRawBufferPointer) throws {
    var block = try Self.block(in: bytes, from: 0)
    if block.label == "EC PARAMETERS" {
      block = try Self.block(in: bytes, from: block.body.upperBound)
    }
    let decoded = try Self.decode(UnsafeRawBufferPointer(rebasing: bytes[block.body]))
    self.init(label: block.label, content: decoded)
  }

  private static func block(
    in bytes: UnsafeRawBufferPointer, from start: Int
  ) throws -> (label: String, body: Range<Int>) {
    guard let head = firstIndex(of: begin, in: bytes, from: start) else {
      throw DERError("it has no PEM block with a key")
    }
    let name = head + begin.count
    guard let nameEnd = firstIndex(of: dashes, in: bytes, from: name), nameEnd - name <= 64 else {
      throw DERError("its BEGIN line is cut off")
    }
    let label = String(decoding: bytes[name..<nameEnd], as: UTF8.self)
    let body = nameEnd + dashes.count
    let footer = end + Array(label.utf8) + dashes
    guard let bodyEnd = firstIndex(of: footer, in: bytes, from: body) else {
      throw DERError("its END line is missing or of another label")
    }
    return (label, body..<bodyEnd)
  }

  /// The block as text in lines of 64 characters. The text ends with a newline.
  var text: SecretBytes {
    let head = Array("-----BEGIN \(label)-----\n".utf8)
    let foot = Array("-----END \(label)-----\n".utf8)
    let characters = (content.count + 2) / 3 * 4
    let lines = (characters + Self.lineCount - 1) / Self.lineCount
    return SecretBytes(count: head.count + characters + lines + foot.count) { text in
      var offset = 0
      func write(_ byte: UInt8) {
        text[offset] = byte
        offset += 1
      }
      head.forEach(write)
      var column = 0
      content.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: 3) {
          let count = min(3, bytes.count - start)
          var group: UInt32 = 0
          for index in 0..<3 {
            group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0)
          }
          for index in 0..<4 {
            write(
              index > count
                ? UInt8(ascii: "=")
                : Self.character(UInt8(truncatingIfNeeded: group >> (18 - 6 * index)) & 63))
          }
          column += 4
          if column == Self.lineCount {
            write(UInt8(ascii: "\n"))
            column = 0
          }
        }
      }
      if column > 0 { write(UInt8(ascii: "\n")) }
      foot.forEach(write)
    }
  }

  private static func firstIndex(
    of pattern: [UInt8], in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    let last = bytes.count - pattern.count
    guard start <= last else { return nil }
    return (start...last).first { index in
      bytes[index] == pattern[0]
        && bytes[index..<index + pattern.count].elementsEqual(pattern)
    }
  }

  // Base64 is computed arithmetically: look-ups in a table would reveal characters of the secret
  // through the CPU cache.
  private static func decode(_ text: UnsafeRawBufferPointer) throws -> SecretBytes {
    var characters = 0
    var padding = 0
    for byte in text where !isSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
      } else if byte == UInt8(ascii: ":") {
        throw DERError("its PEM block has headers, like PEM that OpenSSL encrypted")
      } else {
        guard value(byte) < 64, padding == 0 else { throw DERError("it is not Base64") }
        characters += 1
      }
    }
    guard characters > 0, padding <= 2, (characters + padding) % 4 == 0 else {
      throw DERError("its Base64 is cut off")
    }
    return try SecretBytes(count: characters * 3 / 4) { bytes throws(DERError) in
      var offset = 0
      var group: UInt32 = 0
      var bits = 0
      for byte in text where !isSpace(byte) && byte != UInt8(ascii: "=") {
        group = group << 6 | UInt32(value(byte))
        bits += 6
        if bits >= 8 {
          bits -= 8
          bytes[offset] = UInt8(truncatingIfNeeded: group >> UInt32(bits))
          offset += 1
        }
      }
      guard group & (1 << UInt32(bits) - 1) == 0 else { throw DERError("it is not Base64") }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// Returns the six bits of a character, or 64 or more if it is not a Base64 character.
  private static func value(_ character: UInt8) -> UInt8 {
    let c = Int(character)
    // Returns `bits` if the character is in the range, otherwise 0. `bits` is one more than the
    // value, so that no match gives 255 in the end.
    func range(_ low: Int, _ high: Int, _ bits: Int) -> Int {
      ((low - 1 - c) & (c - high - 1)) >> 8 & bits
    }
    let found =
      range(65, 90, c - 65 + 1) | range(97, 122, c - 71 + 1) | range(48, 57, c + 4 + 1)
      | range(43, 43, 63) | range(47, 47, 64)
    return UInt8(truncatingIfNeeded: found - 1)
  }

  private static func character(_ value: UInt8) -> UInt8 {
    let v = Int(value)
    // The terms are the differences between the ranges A–Z, a–z, 0–9, + and /.
    let c =
      v + 65 + ((25 - v) >> 8 & 6) - ((51 - v) >> 8 & 75) - ((61 - v) >> 8 & 15)
      + ((62 - v) >> 8 & 3)
    return UInt8(truncatingIfNeeded: c)
  }
}
