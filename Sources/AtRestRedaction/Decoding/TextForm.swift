/// The encodings that change some characters of a text and keep the rest.
enum TextForm: CaseIterable {
  /// `%41` and `%u0041`.
  case percent
  /// Percent encoding in which `+` is a space, as in forms.
  case form
  /// The escapes of JSON, C, Swift and Python: `\n`, `\u0041`, `\u{41}`, `\x41`, `\101`.
  case escapes
  /// The entities of HTML and XML: `&amp;`, `&#65;`, `&#x41;`.
  case entities
  /// Quoted-printable: `=41`, and an equals sign at the end of a line.
  case quotedPrintable
  /// Lines that are joined, without the spaces at their beginnings.
  case lines

  /// Decodes text. Returns false if the text contains nothing to decode.
  func decode(_ text: UnsafeBufferPointer<UInt8>, into sink: inout some ByteSink) -> Bool {
    var isDecoded = false
    var index = 0
    while index < text.count {
      let byte = text[index]
      if isIntroducer(byte),
        let end = decode(text, at: index, into: &sink)
      {
        index = end
        isDecoded = true
      } else {
        sink.append(byte, index, index + 1)
        index += 1
      }
    }
    return isDecoded
  }

  private func isIntroducer(_ byte: UInt8) -> Bool {
    switch self {
    case .percent: byte == UInt8(ascii: "%")
    case .form: byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+")
    case .escapes: byte == UInt8(ascii: "\\")
    case .entities: byte == UInt8(ascii: "&")
    case .quotedPrintable: byte == UInt8(ascii: "=")
    case .lines: byte == 0x0a || byte == 0x0d
    }
  }

  /// Decodes the sequence at an index, and returns the index after it. Returns nil if there is none.
  private func decode(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int, into sink: inout some ByteSink
  ) -> Int? {
    switch self {
    case .percent: return percent(text, index, &sink)
    case .form:
      guard text[index] == UInt8(ascii: "+") else { return percent(text, index, &sink) }
      sink.append(UInt8(ascii: " "), index, index + 1)
      return index + 1
    case .escapes: return escape(text, index, &sink)
    case .entities:
      guard let (entity, end) = Entity.read(text, at: index) else { return nil }
      for byte in entity { sink.append(byte, index, end) }
      return end
    case .quotedPrintable:
      if let end = lineEnd(text, index + 1) { return end }
      guard let byte = text.hexByte(at: index + 1) else { return nil }
      sink.append(byte, index, index + 3)
      return index + 3
    case .lines:
      var end = index
      while end < text.count, [0x0a, 0x0d, 0x20, 0x09].contains(text[end]) { end += 1 }
      return end
    }
  }

  private func percent(
    _ text: UnsafeBufferPointer<UInt8>, _ index: Int, _ sink: inout some ByteSink
  ) -> Int? {
    if let byte = text.hexByte(at: index + 1) {
      sink.append(byte, index, index + 3)
      return index + 3
    }
    guard index + 1 < text.count, text[index + 1] | 0x20 == UInt8(ascii: "u"),
      let high = text.hexByte(at: index + 2), let low = text.hexByte(at: index + 4),
      let scalar = Unicode.Scalar(UInt16(high) << 8 | UInt16(low))
    else { return nil }
    sink.append(scalar, index, index + 6)
    return index + 6
  }

  /// Returns the index after a line break, or nil if there is none at the index.
  private func lineEnd(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    guard index < text.count else { return nil }
    if text[index] == 0x0a { return index + 1 }
    guard text[index] == 0x0d else { return nil }
    return index + 1 < text.count && text[index + 1] == 0x0a ? index + 2 : index + 1
  }

  // MARK: Escapes with a backslash

  private func escape(
    _ text: UnsafeBufferPointer<UInt8>, _ index: Int, _ sink: inout some ByteSink
  ) -> Int? {
    guard index + 1 < text.count else { return nil }
    if let end = lineEnd(text, index + 1) { return end }
    let letter = text[index + 1]
    switch letter {
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let (scalar, end) = Self.scalar(text, at: index)
      sink.append(scalar, index, end)
      return end
    case UInt8(ascii: "x"):
      if let byte = text.hexByte(at: index + 2) {
        sink.append(byte, index, index + 4)
        return index + 4
      }
      if let (scalar, end) = Self.braced(text, index + 2) {
        sink.append(scalar, index, end)
        return end
      }
      sink.append(letter, index, index + 2)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      if index + 3 < text.count, (0x30...0x37).contains(text[index + 2]),
        (0x30...0x37).contains(text[index + 3])
      {
        let byte = (letter & 7) << 6 | (text[index + 2] & 7) << 3 | text[index + 3] & 7
        sink.append(byte, index, index + 4)
        return index + 4
      }
      sink.append(letter == UInt8(ascii: "0") ? 0 : letter, index, index + 2)
    case UInt8(ascii: "n"): sink.append(0x0a, index, index + 2)
    case UInt8(ascii: "r"): sink.append(0x0d, index, index + 2)
    case UInt8(ascii: "t"): sink.append(0x09, index, index + 2)
    case UInt8(ascii: "b"): sink.append(0x08, index, index + 2)
    case UInt8(ascii: "f"): sink.append(0x0c, index, index + 2)
    default: sink.append(letter, index, index + 2)
    }
    return index + 2
  }

  /// Returns the scalar of `\u0041`, of two such escapes that are a surrogate pair, of `\U00000041`
  /// or of `\u{41}`, and the index after the escape. If the escape is invalid, the scalar is its
  /// letter.
  private static func scalar(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (Unicode.Scalar, Int) {
    let letter = text[index + 1]
    if let found = braced(text, index + 2) { return found }
    if letter == UInt8(ascii: "U"), let value = text.hexNumber(at: index + 2, count: 8),
      let scalar = Unicode.Scalar(value)
    {
      return (scalar, index + 10)
    }
    if let value = text.hexNumber(at: index + 2, count: 4) {
      let end = index + 6
      if let scalar = Unicode.Scalar(value) { return (scalar, end) }
      if 0xD800..<0xDC00 ~= value, end + 1 < text.count, text[end] == UInt8(ascii: "\\"),
        text[end + 1] == UInt8(ascii: "u"), let low = text.hexNumber(at: end + 2, count: 4),
        0xDC00..<0xE000 ~= low,
        let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
      {
        return (scalar, end + 6)
      }
    }
    return (Unicode.Scalar(letter), index + 2)
  }

  /// Returns the scalar of `{41}` at an index, and the index after it.
  private static func braced(
    _ text: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> (Unicode.Scalar, Int)? {
    guard index < text.count, text[index] == UInt8(ascii: "{") else { return nil }
    var value: UInt32 = 0
    var end = index + 1
    while end < text.count, end - index <= 8, let digit = text[end].hexDigit {
      value = value << 4 | UInt32(digit)
      end += 1
    }
    guard end > index + 1, end < text.count, text[end] == UInt8(ascii: "}"),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return (scalar, end + 1)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the byte of two hex digits at an index, or nil if they are not there.
  func hexByte(at index: Int) -> UInt8? {
    guard index + 1 < count, let high = self[index].hexDigit, let low = self[index + 1].hexDigit
    else { return nil }
    return high << 4 | low
  }

  /// Returns the number of a given count of hex digits at an index, or nil if they are not there.
  func hexNumber(at index: Int, count digits: Int) -> UInt32? {
    guard index + digits <= count else { return nil }
    var value: UInt32 = 0
    for place in index..<index + digits {
      guard let digit = self[place].hexDigit else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

extension UInt8 {
  var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
