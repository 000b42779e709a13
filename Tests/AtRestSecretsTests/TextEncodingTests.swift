@_spi(Tools) import AtRestSecrets
import Testing

/// The bytes to which a text decodes are the same with and without their places.
@Suite struct TextEncodingTests {
  private static let pieces = [
    "%41", "%4", "%u00e9", "%", "+", "\\n", "\\u0041", "\\uD83D\\uDE00", "\\u{1F600}", "\\x{e9}",
    "\\",
    "\\101", "&amp;", "&#65;", "&#x1F600;", "&#1", "&lt;", "&none;", "&", "=41", "=\r\n", "=\n",
    "=4", "=",
    "\n", "\r\n  \t", "a", "é", " ",
  ]

  @Test(arguments: TextEncoding.allCases) func theyAreTheSame(_ encoding: TextEncoding) {
    var random = SystemRandomNumberGenerator()
    var decodedCount = 0
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Self.pieces.randomElement(using: &random)!
      }.joined()
      let (bytes, decoded) = Array(text.utf8).withUnsafeBufferPointer {
        (encoding.decodedBytes(of: $0), encoding.decode($0))
      }
      #expect(bytes == decoded?.bytes, "\(text)")
      #expect(bytes.map { $0.count <= text.utf8.count } != false, "\(text)")
      decodedCount += bytes == nil ? 0 : 1
    }
    #expect(decodedCount > 100)
  }

  @Test(arguments: [
    (TextEncoding.percent, "a%41b", "aAb"), (.form, "a+%42", "a B"), (.escapes, #"a\u0041"#, "aA"),
    (.entities, "&lt;a&#65", "<aA"), (.quotedPrintable, "=41=\r\nb", "Ab"),
    (.lines, "a\r\n  b", "ab"),
  ])
  func aTextIsDecoded(_ encoding: TextEncoding, _ text: String, _ expected: String) {
    let bytes = Array(text.utf8).withUnsafeBufferPointer { encoding.decodedBytes(of: $0) }
    #expect(bytes == Array(expected.utf8))
  }

  @Test(arguments: [
    (TextEncoding.percent, "100 % of %4"), (.quotedPrintable, "level=info x=4"),
    (.entities, "a && b &none;"), (.lines, "one line"), (.form, "%zz"),
  ])
  func nothingIsDecoded(_ encoding: TextEncoding, _ text: String) {
    #expect(Array(text.utf8).withUnsafeBufferPointer { encoding.decodedBytes(of: $0) } == nil)
  }
}
