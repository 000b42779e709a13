import AtRestSecrets

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
    let style: TextEscape.Style
    switch self {
    case .form where text[index] == UInt8(ascii: "+"):
      sink.append(UInt8(ascii: " "), index, index + 1)
      return index + 1
    case .lines:
      var end = index
      while end < text.count, [0x0a, 0x0d, 0x20, 0x09].contains(text[end]) { end += 1 }
      return end
    case .percent, .form: style = .percent
    case .escapes: style = .backslash
    case .entities: style = .entity
    case .quotedPrintable: style = .quotedPrintable
    }
    guard let escape = TextEscape.read(style, in: text, at: index) else { return nil }
    for place in 0..<escape.count { sink.append(escape[place], index, escape.end) }
    return escape.end
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
