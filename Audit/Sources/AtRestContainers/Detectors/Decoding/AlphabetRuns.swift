@_spi(Tools) import AtRestSecrets

/// Finds runs of Base64 characters and of hexadecimal digits.
struct AlphabetRuns {
  /// A run shorter than this is accepted only if it decodes to text.
  private static let certainLength = 16
  /// A run of Base64 shorter than this must decode to bytes that could be text in some encoding, or
  /// to the head of a compressed stream. Long names also consist of these characters.
  private static let longName = 40
  private static let shortestLength = 8
  /// The minimum length of a line of wrapped Base64.
  private static let shortestLine = 32
  private static let longestBreak = 24

  private let text: UnsafeBufferPointer<UInt8>
  private let values = ByteRun.base64.values

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  func search(_ runs: inout [EncodedRun]) {
    Self.classes.withUnsafeBufferPointer { classes in
      var place = 0
      while place < text.count {
        if classes[Int(text[place])] >= Self.noCharacter {
          place &+= 1
          continue
        }
        if let run = groups(from: place) {
          runs.append(run)
          place = run.range.upperBound
          continue
        }
        // The union of the classes of all characters.
        var union: UInt8 = 0
        let start = place
        while place < text.count, classes[Int(text[place])] < Self.noCharacter {
          union |= classes[Int(text[place])]
          place &+= 1
        }
        var count = place &- start
        if count >= Self.shortestLine { continueLines(&place, &count, &union) }
        if count >= Self.shortestLength, let run = decode(start..<place, count, union) {
          runs.append(run)
        }
      }
    }
  }

  /// Continues a run after line breaks, as long as the line before the break is long.
  private func continueLines(_ end: inout Int, _ count: inout Int, _ union: inout UInt8) {
    while end < text.count, text[end] == 0x0A || text[end] == 0x0D {
      var next = end
      while next < text.count, next - end < Self.longestBreak, ASCII.isBlank(text[next]) {
        next &+= 1
      }
      guard next < text.count, values[Int(text[next])] < 64 else { return }
      end = next
      while end < text.count, values[Int(text[end])] < 64 {
        union |= Self.classes[Int(text[end])]
        end &+= 1
      }
      count &+= end &- next
      if end &- next < Self.shortestLine { return }
    }
  }

  /// Decodes a run, or returns nil if it is not encoded.
  ///
  /// - Parameters:
  ///   - count: The number of characters, without blanks.
  ///   - classes: The union of their classes.
  private func decode(_ range: Range<Int>, _ count: Int, _ classes: UInt8) -> EncodedRun? {
    let isHex = classes & Self.other == 0
    let hasSign = (standard: classes & Self.standardSign != 0, url: classes & Self.urlSign != 0)
    if text[range.lowerBound] == 0x30, range.count > 2, text[range.lowerBound + 1] | 0x20 == 0x78 {
      let rest = range.lowerBound + 2..<range.upperBound
      if rest.allSatisfy({ ASCII.hex(text[$0]) != nil }) { return hex(rest) }
    }
    if isHex, count % 2 == 0 { return hex(range) }
    guard count % 4 != 1, !(hasSign.standard && hasSign.url), !isUUID(range) else { return nil }
    // Most runs are words, so nothing is kept of a run before it is accepted.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count * 3 / 4 + 1) { buffer in
      guard let length = decode(range, count, into: buffer) else { return nil }
      return EncodedRun(
        range: range, encoding: hasSign.url ? "base64url" : "base64",
        bytes: Array(buffer[..<length]))
    }
  }

  /// The class of each byte: none for hexadecimal digits, a sign of one alphabet, another character
  /// of Base64, or another byte.
  private static let classes: [UInt8] = (0...255).map { byte in
    switch byte {
    case _ where !ByteRun.base64.contains(UInt8(byte)): noCharacter
    case 0x2B, 0x2F: standardSign | other
    case 0x2D, 0x5F: urlSign | other
    default: ASCII.hex(UInt8(byte)) == nil ? other : 0
    }
  }
  private static let other: UInt8 = 1
  private static let standardSign: UInt8 = 2
  private static let urlSign: UInt8 = 4
  private static let noCharacter: UInt8 = 8

  /// Decodes Base64 and skips blanks. Returns the number of bytes, or nil as soon as they cannot be
  /// text in some encoding, or the head of a compressed stream, though the run is short.
  private func decode(
    _ range: Range<Int>, _ count: Int, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) -> Int? {
    let mustBeText = count < Self.certainLength
    var mustPromise = count < Self.longName
    var isText = true
    var pending: UInt32 = 0
    var (index, length) = (0, 0)
    for place in range {
      let digit = values[Int(text[place])]
      guard digit < 64 else { continue }
      pending = pending << 6 | UInt32(digit)
      if index & 3 != 0 {
        let byte = UInt8(truncatingIfNeeded: pending >> UInt32(6 - 2 * (index & 3)))
        if mustBeText, !ASCII.isPrintable(byte) { return nil }
        if mustPromise {
          isText = isText && (byte >= 0x20 && byte != 0x7F || ASCII.isBlank(byte))
          if length == 0 && Self.isHead(byte) || length < 2 && byte == 0 {
            mustPromise = false
          } else if length > 0, !isText {
            return nil
          }
        }
        bytes.initializeElement(at: length, to: byte)
        length &+= 1
      }
      index &+= 1
    }
    return length
  }

  /// Returns true for the first byte of a compressed stream, or of UTF-16 or UTF-32.
  private static func isHead(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x1F, 0x78, 0x04, 0x28, 0xFD, 0x5D, 0xFF, 0xFE: true
    default: false
    }
  }

  private func hex(_ range: Range<Int>) -> EncodedRun? {
    guard let bytes = ByteRun.hex.bytes(of: UnsafeBufferPointer(rebasing: text[range])),
      2 * bytes.count >= Self.shortestLength,
      2 * bytes.count >= Self.certainLength || bytes.allSatisfy(ASCII.isPrintable)
    else { return nil }
    return EncodedRun(range: range, encoding: "hex", bytes: bytes)
  }

  /// Reads hexadecimal digits in equal groups of two or eight, or returns nil if there are no such
  /// groups: `70:61:73:73`, `<70617373 776f7264>`.
  private func groups(from start: Int) -> EncodedRun? {
    func digits(from place: Int) -> Int {
      var end = place
      while end < text.count, end - place <= 8, ASCII.hex(text[end]) != nil { end &+= 1 }
      return end - place
    }
    // Most runs are words.
    guard start &+ 2 < text.count, ASCII.hex(text[start]) != nil, ASCII.hex(text[start &+ 1]) != nil
    else { return nil }
    let size = digits(from: start)
    guard size == 2 || size == 8, start + size < text.count else { return nil }
    let separator = text[start + size]
    guard separator == 0x20 || size == 2 && [0x2C, 0x2D, 0x3A].contains(separator),
      digits(from: start + size + 1) > 0
    else { return nil }
    var end = start
    var bytes: [UInt8] = []
    while true {
      let count = digits(from: end)
      guard count == size || size == 8 && count > 0 && count % 2 == 0 && count < 8 else { break }
      let group = UnsafeBufferPointer(rebasing: text[end..<end + count])
      bytes += ByteRun.hex.bytes(of: group) ?? []
      end += count
      guard count == size, end < text.count, text[end] == separator else { break }
      end &+= 1
    }
    guard bytes.count >= 4 else { return nil }
    return EncodedRun(range: start..<end, encoding: "hex", bytes: bytes)
  }

  private func isUUID(_ range: Range<Int>) -> Bool {
    range.count == 36 && [8, 13, 18, 23].allSatisfy { text[range.lowerBound + $0] == 0x2D }
  }
}
