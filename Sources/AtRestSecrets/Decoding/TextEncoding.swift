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
  public func decode(_ text: UnsafeBufferPointer<UInt8>) -> DecodedText? {
    guard let first = firstSequence(of: text) else { return nil }
    let marks = marks
    var decoded = DecodedText(keepsPlaces: true)
    decoded.reserveCapacity(text.count)
    for index in 0..<first { decoded.append(text[index], index, index + 1) }
    var index = first
    while index < text.count {
      let byte = text[index]
      if byte == marks.0 || byte == marks.1, let sequence = sequence(of: text, at: index) {
        for place in 0..<sequence.count { decoded.append(sequence[place], index, sequence.end) }
        index = sequence.end
      } else {
        decoded.append(byte, index, index + 1)
        index += 1
      }
    }
    return decoded
  }

  /// Decodes text without the places of its bytes. Returns nil if the text contains nothing to decode.
  ///
  /// The result is never longer than the text.
  public func decodedBytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard let base = text.baseAddress, let first = firstSequence(of: text) else { return nil }
    let marks = marks
    return [UInt8](unsafeUninitializedCapacity: text.count) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      start.initialize(from: base, count: first)
      var end = first
      var index = first
      while index < text.count {
        let byte = text[index]
        if byte == marks.0 || byte == marks.1, let sequence = sequence(of: text, at: index) {
          precondition(end + sequence.count <= sequence.end)
          for place in 0..<sequence.count { (start + end + place).initialize(to: sequence[place]) }
          end += sequence.count
          index = sequence.end
        } else {
          (start + end).initialize(to: byte)
          end += 1
          index += 1
        }
      }
      count = end
    }
  }

  /// Returns the index of the first sequence to decode.
  private func firstSequence(of text: UnsafeBufferPointer<UInt8>) -> Int? {
    let marks = marks
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == marks.0 || byte == marks.1, sequence(of: text, at: index) != nil { return index }
      index += 1
    }
    return nil
  }

  /// The bytes with which a sequence begins.
  private var marks: (UInt8, UInt8) {
    switch self {
    case .form: (0x25, 0x2B)
    case .lines: (0x0A, 0x0D)
    case .percent, .escapes, .entities, .quotedPrintable: (style.mark, style.mark)
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

  /// Reads the sequence at the index of a mark. Returns nil if no sequence begins there.
  private func sequence(of text: UnsafeBufferPointer<UInt8>, at index: Int) -> TextEscape? {
    if self == .lines {
      var end = index
      while end < text.count, Self.isBetweenLines(text[end]) { end += 1 }
      return TextEscape(end)
    }
    if text[index] == 0x2B { return TextEscape(index + 1, byte: 0x20) }
    return TextEscape.read(style, in: text, at: index)
  }

  private static func isBetweenLines(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
