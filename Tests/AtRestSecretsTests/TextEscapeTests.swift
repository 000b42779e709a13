import AtRestSecrets
import Testing

/// Escapes are read as their languages write them.
@Suite struct TextEscapeTests {
  private static func read(
    _ text: String, _ style: TextEscape.Style, isStrict: Bool
  ) -> (bytes: String, rest: String)? {
    Array(text.utf8).withUnsafeBufferPointer { text in
      guard let escape = TextEscape.read(style, in: text, at: 0, isStrict: isStrict) else {
        return nil
      }
      var bytes: [UInt8] = []
      escape.append(to: &bytes)
      return (
        String(decoding: bytes, as: UTF8.self), String(decoding: text[escape.end...], as: UTF8.self)
      )
    }
  }

  @Test(arguments: [
    ("%41", TextEscape.Style.percent, "A"), ("%u00e9", .percent, "é"), (#"\n"#, .backslash, "\n"),
    (#"\u0041"#, .backslash, "A"), (#"\u{1F600}"#, .backslash, "😀"),
    (#"\uD83D\uDE00"#, .backslash, "😀"), (#"\U0001F600"#, .backslash, "😀"),
    (#"\x41"#, .backslash, "A"), (#"\x{e9}"#, .backslash, "é"), (#"\101"#, .backslash, "A"),
    (#"\/"#, .backslash, "/"), ("\\\r\n", .backslash, ""), ("&amp;", .entity, "&"),
    ("&#65;", .entity, "A"), ("&#x1F600;", .entity, "😀"), ("&eacute;", .entity, "é"),
    ("&euro;", .entity, "€"), ("&lowbar;", .entity, "_"), ("=41", .quotedPrintable, "A"),
    ("=\r\n", .quotedPrintable, ""),
  ])
  func anEscapeIsRead(_ text: String, _ style: TextEscape.Style, _ expected: String) {
    for isStrict in [true, false] {
      let found = Self.read(text + "!", style, isStrict: isStrict)
      #expect(found?.bytes == expected)
      #expect(found?.rest == "!")
    }
  }

  @Test(arguments: [
    ("%4", TextEscape.Style.percent), ("%zz", .percent), (#"\u12"#, .backslash),
    (#"\uD83D."#, .backslash), (#"\q"#, .backslash), (#"\12"#, .backslash), (#"\"#, .backslash),
    ("&amp", .entity), ("&nosuch;", .entity), ("&#;", .entity), ("=4", .quotedPrintable),
  ])
  func otherTextIsNone(_ text: String, _ style: TextEscape.Style) {
    #expect(Self.read(text, style, isStrict: true) == nil)
  }

  @Test func aBackslashMayStandBeforeAnyLetter() {
    #expect(Self.read(#"\q!"#, .backslash, isStrict: false)?.bytes == "q")
    #expect(Self.read(#"\0!"#, .backslash, isStrict: false)?.bytes == "\0")
    #expect(Self.read(#"\12!"#, .backslash, isStrict: false)?.bytes == "\n")
  }
}
