/// The encodings that change some characters of a text and keep the rest.
@_spi(Tools) public enum TextEncoding: CaseIterable, Sendable {
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

  /// Decodes text. Returns nil if the text contains nothing to decode.
  public func decode(
    _ text: UnsafeBufferPointer<UInt8>, keepsPlaces: Bool = true
  ) -> DecodedText? {
    guard text.contains(where: isIntroducer) else { return nil }
    var decoded = DecodedText(keepsPlaces: keepsPlaces)
    decoded.reserveCapacity(text.count)
    var isDecoded = false
    var index = 0
    while index < text.count {
      let byte = text[index]
      if isIntroducer(byte), let end = decode(text, at: index, into: &decoded) {
        index = end
        isDecoded = true
      } else {
        decoded.append(byte, index, index + 1)
        index += 1
      }
    }
    return isDecoded ? decoded : nil
  }

  private func isIntroducer(_ byte: UInt8) -> Bool {
    switch self {
    case .form: byte == 0x25 || byte == 0x2B
    case .lines: byte == 0x0A || byte == 0x0D
    case .percent, .escapes, .entities, .quotedPrintable: byte == style.mark
    }
  }

  private var style: TextEscape.Style {
    switch self {
    case .percent, .form, .lines: .percent
    case .escapes: .backslash
    case .entities: .entity
    case .quotedPrintable: .quotedPrintable
    }
  }

  /// Decodes the sequence at an index, and returns the index after it, or nil if no sequence begins there.
  private func decode(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int, into decoded: inout DecodedText
  ) -> Int? {
    if self == .lines {
      return text[index...].firstIndex { $0 > 0x20 || ![0x0A, 0x0D, 0x20, 0x09].contains($0) }
        ?? text.count
    }
    if text[index] == 0x2B {
      decoded.append(0x20, index, index + 1)
      return index + 1
    }
    guard let escape = TextEscape.read(style, in: text, at: index) else { return nil }
    for place in 0..<escape.count { decoded.append(escape[place], index, escape.end) }
    return escape.end
  }
}
