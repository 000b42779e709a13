/// Reads the escape that begins at an index.
struct TextEscapeReader {
  let text: UnsafeBufferPointer<UInt8>
  let start: Int

  /// The byte at a distance from the beginning, or 0 after the end of the text.
  private func byte(_ distance: Int) -> UInt8 {
    start + distance < text.count ? text[start + distance] : 0
  }

  /// Returns the number of a count of hex digits at a distance, or nil if they are not there.
  private func number(at distance: Int, digits: Int) -> UInt32? {
    guard start + distance + digits <= text.count else { return nil }
    var number: UInt32 = 0
    for place in distance..<distance + digits {
      guard let digit = byte(place).hexDigit else { return nil }
      number = number << 4 | UInt32(digit)
    }
    return number
  }

  /// Returns the index after the line break at a distance. Returns nil if no line ends there.
  private func lineEnd(at distance: Int) -> Int? {
    switch byte(distance) {
    case 0x0A: start + distance + 1
    case 0x0D: start + distance + (byte(distance + 1) == 0x0A ? 2 : 1)
    default: nil
    }
  }

  func percent() -> TextEscape? {
    if let value = number(at: 1, digits: 2) { return TextEscape(start + 3, byte: UInt8(value)) }
    guard byte(1) | 0x20 == 0x75, let value = number(at: 2, digits: 4),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return TextEscape(start + 6, scalar: scalar)
  }

  func quotedPrintable() -> TextEscape? {
    if let end = lineEnd(at: 1) { return TextEscape(end) }
    return number(at: 1, digits: 2).map { TextEscape(start + 3, byte: UInt8($0)) }
  }

  // MARK: Backslashes

  func backslash(isStrict: Bool) -> TextEscape? {
    guard start + 1 < text.count else { return nil }
    if let end = lineEnd(at: 1) { return TextEscape(end) }
    let letter = byte(1)
    let escape: TextEscape? =
      switch letter {
      case 0x6E: TextEscape(start + 2, byte: 0x0A)
      case 0x72: TextEscape(start + 2, byte: 0x0D)
      case 0x74: TextEscape(start + 2, byte: 0x09)
      case 0x62: TextEscape(start + 2, byte: 0x08)
      case 0x66: TextEscape(start + 2, byte: 0x0C)
      case 0x22, 0x27, 0x2F, 0x5C: TextEscape(start + 2, byte: letter)
      case 0x78: hex(isStrict: isStrict)
      case 0x75, 0x55: scalar()
      case 0x30...0x37: octal(isStrict: isStrict)
      default: nil
      }
    return escape ?? (isStrict ? nil : TextEscape(start + 2, byte: letter))
  }

  /// `\x41`, and `\x{41}`.
  private func hex(isStrict: Bool) -> TextEscape? {
    if let value = number(at: 2, digits: 2) { return TextEscape(start + 4, byte: UInt8(value)) }
    if !isStrict, let digit = byte(2).hexDigit { return TextEscape(start + 3, byte: digit) }
    return braced()
  }

  /// `\101`, and with fewer digits if not strict.
  private func octal(isStrict: Bool) -> TextEscape? {
    var value: UInt8 = 0
    var count = 0
    while count < 3, byte(1 + count) &- 0x30 < 8, value < 0x20 {
      value = value << 3 | (byte(1 + count) & 7)
      count += 1
    }
    return isStrict && count < 3 ? nil : TextEscape(start + 1 + count, byte: value)
  }

  /// `\u0041`, two such escapes that are a surrogate pair, `\U00000041` and `\u{41}`.
  private func scalar() -> TextEscape? {
    if let found = braced() { return found }
    if byte(1) == 0x55, let value = number(at: 2, digits: 8), let scalar = Unicode.Scalar(value) {
      return TextEscape(start + 10, scalar: scalar)
    }
    guard let value = number(at: 2, digits: 4) else { return nil }
    if let scalar = Unicode.Scalar(value) { return TextEscape(start + 6, scalar: scalar) }
    guard 0xD800..<0xDC00 ~= value, byte(6) == 0x5C, byte(7) | 0x20 == 0x75,
      let low = number(at: 8, digits: 4), 0xDC00..<0xE000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
    else { return nil }
    return TextEscape(start + 12, scalar: scalar)
  }

  /// `{41}` after the letter.
  private func braced() -> TextEscape? {
    guard byte(2) == 0x7B else { return nil }
    var value: UInt32 = 0
    var distance = 3
    while distance < 11, let digit = byte(distance).hexDigit {
      value = value << 4 | UInt32(digit)
      distance += 1
    }
    guard distance > 3, byte(distance) == 0x7D, let scalar = Unicode.Scalar(value) else {
      return nil
    }
    return TextEscape(start + distance + 1, scalar: scalar)
  }

  // MARK: Entities

  func entity() -> TextEscape? {
    if byte(1) == 0x23 { return numbered() }
    var distance = 1
    while distance < 12, byte(distance).isAlphanumeric { distance += 1 }
    guard distance > 1, byte(distance) == 0x3B else { return nil }
    let name = String(decoding: text[start + 1..<start + distance], as: UTF8.self)
    return Entities.scalars[name].map { TextEscape(start + distance + 1, scalar: $0) }
  }

  /// `&#65;` and `&#x41;`. The semicolon may be missing.
  private func numbered() -> TextEscape? {
    let isHex = byte(2) | 0x20 == 0x78
    let first = isHex ? 3 : 2
    var distance = first
    var value: UInt32 = 0
    while distance - first < 8, let digit = byte(distance).hexDigit, isHex || digit < 10 {
      value = value &* (isHex ? 16 : 10) &+ UInt32(digit)
      distance += 1
    }
    guard distance > first, let scalar = Unicode.Scalar(value) else { return nil }
    return TextEscape(start + distance + (byte(distance) == 0x3B ? 1 : 0), scalar: scalar)
  }
}
