extension SecretScan {
  private static let longestName = 64
  /// The maximum length of a value without quotes.
  private static let longestBare = 2048

  /// Reads a name and a value around a separator, as in JSON, a form, a header or a property list.
  func pair(at separator: Int) -> Detection? {
    let isMarkup = text[separator] == 0x3E
    guard let name = isMarkup ? markupName(before: separator) : name(before: separator),
      let verdict = SecretName.verdict(UnsafeBufferPointer(rebasing: text[name])),
      let value = isMarkup ? markupValue(after: separator) : value(after: separator),
      SecretValue.fits(text[value], verdict)
    else { return nil }
    return Detection(verdict.kind, value, verdict.isStrong ? .likely : .possible, in: text)
  }

  private func isName(_ byte: UInt8) -> Bool {
    ASCII.isAlphanumeric(byte) || byte == 0x5F || byte == 0x2D || byte == 0x2E || byte >= 0x80
  }

  private func name(before separator: Int) -> Range<Int>? {
    var end = separator
    // `key => value` and `key == value` in code are not pairs.
    guard separator + 1 < text.count, text[separator + 1] != 0x3D, separator > 0,
      text[separator] != 0x3A || text[separator + 1] != 0x2F
    else { return nil }
    while end > 0, separator - end < 2, text[end - 1] == 0x20 { end -= 1 }
    while end > 0, text[end - 1] == 0x22 || text[end - 1] == 0x27 || text[end - 1] == 0x5C {
      end -= 1
    }
    var start = end
    while start > 0, end - start < Self.longestName, isName(text[start - 1]) { start -= 1 }
    return end - start >= 2 && end - start < Self.longestName ? start..<end : nil
  }

  private func value(after separator: Int) -> Range<Int>? {
    var start = separator + 1
    while start < text.count, start - separator < 4, text[start] == 0x20 || text[start] == 0x40 {
      start += 1
    }
    while start < text.count, text[start] == 0x5C { start += 1 }
    guard start < text.count else { return nil }
    if text[start] == 0x22 || text[start] == 0x27 {
      let quote = text[start]
      var end = start + 1
      while end < text.count, text[end] != quote, text[end] != 0x0A {
        end += text[end] == 0x5C && end + 1 < text.count && text[end + 1] != quote ? 2 : 1
      }
      end = min(end, text.count)
      // In a JSON string, the quote itself may be escaped.
      if end > start + 1, text[end - 1] == 0x5C { end -= 1 }
      return start + 1 < end ? start + 1..<end : nil
    }
    var end = start
    while end < text.count, end - start < Self.longestBare, !ASCII.isBlank(text[end]),
      !"&;,\"'<>)}]".utf8.contains(text[end])
    {
      // The value is itself a pair, as in `Cookie: session=…`.
      if text[end] == 0x3D, end + 1 < text.count, isName(text[end + 1]) { return nil }
      end += 1
    }
    return start < end ? start..<end : nil
  }

  /// Reads the name in `<key>name</key>`, whose last character is at this position.
  private func markupName(before separator: Int) -> Range<Int>? {
    let close = Array("</key".utf8)
    let end = separator - close.count
    guard end > 5, text[end..<separator].elementsEqual(close) else { return nil }
    var start = end
    while start > 0, end - start <= Self.longestName, text[start - 1] != 0x3E { start -= 1 }
    return start < end ? start..<end : nil
  }

  /// Reads the value in the element that follows, such as `<string>value</string>`.
  private func markupValue(after separator: Int) -> Range<Int>? {
    var start = separator + 1
    while start < text.count, ASCII.isBlank(text[start]) { start += 1 }
    guard start < text.count, text[start] == 0x3C else { return nil }
    while start < text.count, text[start] != 0x3E { start += 1 }
    start += 1
    var end = start
    while end < text.count, text[end] != 0x3C { end += 1 }
    return start < end ? start..<end : nil
  }
}
