@_spi(Tools) import AtRestSecrets

/// One encoding of a canary, as bytes to search for.
struct CanaryVariant: Hashable {
  /// The canary's index in the matcher's list.
  let canary: Int
  let bytes: [UInt8]
  let encodings: [String]
  var comparison = Comparison.exact
  var gaps = Gaps.none
  var bounds = Bounds.none

  enum Comparison {
    case exact
    /// ASCII letters match in either case.
    case anyCase
    /// Like ``anyCase``, but a difference in case is reported.
    case changedCase
  }

  /// The separators that may occur between two bytes of a match.
  enum Gaps {
    case none
    /// Line breaks, plain or escaped, with the indentation after them, as in Base64.
    case lineBreaks
    /// Separators between two pairs of hexadecimal digits.
    case pairs
    /// Separators between the groups of a card or telephone number.
    case groups

    /// The maximum number of bytes in one gap.
    var limit: Int {
      switch self {
      case .none: 0
      case .lineBreaks: 24
      case .pairs: 2
      case .groups: 4
      }
    }
  }

  /// The characters that must not be next to a match, so that a short variant does not match by
  /// chance.
  enum Bounds {
    case none, digits, alphanumerics, wideDigits, wideAlphanumerics, base64, hex
    /// No digits, except a trunk prefix or the code of a country before a telephone number.
    case telephone
  }

  /// The maximum number of bytes in a match.
  var span: Int { gaps == .none ? bytes.count : bytes.count + gaps.limit * min(bytes.count, 64) }
}

extension CanaryVariant {
  /// The range of this variant in `text` such that `bytes[offset]` is at `place`, or nil if it does
  /// not match there.
  func match(in text: UnsafeBufferPointer<UInt8>, at place: Int, offset: Int) -> Range<Int>? {
    bytes.withUnsafeBufferPointer { bytes -> Range<Int>? in
      var end = place
      var skipped = 0
      for index in offset..<bytes.count {
        if gaps != .none, index > offset, allowsGap(before: index) {
          let next = gapEnd(in: text, from: end)
          skipped &+= next &- end
          end = next
        }
        guard end < text.count, equal(text[end], bytes[index]) else { return nil }
        end &+= 1
      }
      var start = place
      for index in (0..<offset).reversed() {
        if gaps != .none, allowsGap(before: index + 1) {
          let next = gapStart(in: text, before: start)
          skipped &+= start &- next
          start = next
        }
        guard start > 0, equal(text[start &- 1], bytes[index]) else { return nil }
        start &-= 1
      }
      guard start >= 0, skipped <= span &- bytes.count, isBounded(start..<end, in: text) else {
        return nil
      }
      return start..<end
    }
  }

  /// Returns true if a match equals the variant byte by byte, including the case of letters.
  func isExact(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    range.count == bytes.count && zip(range, bytes).allSatisfy { text[$0] == $1 }
  }

  @inline(__always)
  private func equal(_ left: UInt8, _ right: UInt8) -> Bool {
    left == right || comparison != .exact && ASCII.lower(left) == ASCII.lower(right)
  }

  private func allowsGap(before index: Int) -> Bool { gaps != .pairs || index & 1 == 0 }

  private func isGap(_ byte: UInt8) -> Bool {
    switch gaps {
    case .none: false
    // An escaped line break is a backslash and a letter. A backslash before `/` is ignored. See
    // `gapEnd` and `gapStart`.
    case .lineBreaks: byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 9
    case .pairs: byte == 0x3A || byte == 0x20 || byte == 0x2D || byte == 0x0A || byte == 0x0D
    case .groups:
      byte == 0x20 || byte &- 0x2D < 3 || byte == 0x5F || byte == 0x28 || byte == 0x29
    }
  }

  private func gapEnd(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < text.count, end &- start < gaps.limit {
      if isGap(text[end]) {
        end &+= 1
      } else if gaps == .lineBreaks, text[end] == 0x5C, end &+ 1 < text.count {
        switch text[end &+ 1] {
        case 0x6E, 0x72: end &+= 2
        case 0x2F: return end &+ 1
        default: return end
        }
      } else if gaps == .groups, let length = wideGap(in: text, at: end) {
        end &+= length
      } else {
        break
      }
    }
    return end
  }

  private func gapStart(in text: UnsafeBufferPointer<UInt8>, before end: Int) -> Int {
    var start = end
    while start > 0, end &- start < gaps.limit {
      let byte = text[start &- 1]
      if isGap(byte) {
        start &-= 1
      } else if gaps == .lineBreaks, byte == 0x5C, start < text.count, text[start] == 0x2F {
        start &-= 1
      } else if gaps == .lineBreaks, byte == 0x6E || byte == 0x72, start > 1,
        text[start &- 2] == 0x5C
      {
        start &-= 2
      } else if gaps == .groups, start > 1, wideGap(in: text, at: start &- 2) == 2 {
        start &-= 2
      } else if gaps == .groups, start > 2, wideGap(in: text, at: start &- 3) == 3 {
        start &-= 3
      } else {
        break
      }
    }
    return start
  }

  /// The length of a separator outside ASCII, or nil if there is none: a no-break space, a space of
  /// some width, a hyphen or dash, a minus sign.
  private func wideGap(in text: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
    guard place &+ 1 < text.count else { return nil }
    if text[place] == 0xC2 { return text[place &+ 1] == 0xA0 ? 2 : nil }
    guard text[place] == 0xE2, place &+ 2 < text.count else { return nil }
    let last = text[place &+ 2]
    switch text[place &+ 1] {
    case 0x80: return last &- 0x80 < 0x16 || last == 0xAF ? 3 : nil
    case 0x88: return last == 0x92 ? 3 : nil
    default: return nil
    }
  }

  /// Returns true if the digits directly before a position are none, a trunk prefix (`0`), or the
  /// code of a country (`+49`, `0049`).
  private func isPrefix(in text: UnsafeBufferPointer<UInt8>, before end: Int) -> Bool {
    var start = end
    while start > 0, end &- start < 6, ASCII.isDigit(text[start &- 1]) { start &-= 1 }
    let count = end &- start
    if count == 0 || count == 1 && text[start] == 0x30 { return true }
    if count <= 3 { return start > 0 && text[start &- 1] == 0x2B }
    return count <= 5 && text[start] == 0x30 && text[start &+ 1] == 0x30
  }

  private func isBounded(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    func byte(_ index: Int) -> UInt8 { text.indices.contains(index) ? text[index] : 0x0A }
    let before = byte(range.lowerBound - 1)
    let after = byte(range.upperBound)
    // In UTF-16, a zero byte separates neighbouring ASCII characters.
    let wideBefore = before == 0 ? byte(range.lowerBound - 2) : 0
    let wideAfter = after == 0 ? byte(range.upperBound + 1) : 0
    return switch bounds {
    case .none: true
    case .digits: !ASCII.isDigit(before) && !ASCII.isDigit(after)
    case .alphanumerics: !ASCII.isAlphanumeric(before) && !ASCII.isAlphanumeric(after)
    case .wideDigits: !ASCII.isDigit(wideBefore) && !ASCII.isDigit(wideAfter)
    case .wideAlphanumerics:
      !ASCII.isAlphanumeric(wideBefore) && !ASCII.isAlphanumeric(wideAfter)
    case .base64: !ByteRun.base64.contains(before) && !ByteRun.base64.contains(after)
    case .telephone: !ASCII.isDigit(after) && isPrefix(in: text, before: range.lowerBound)
    case .hex: ASCII.hex(before) == nil && ASCII.hex(after) == nil
    }
  }
}
