import AtRestCrypto
import AtRestRedaction
import Foundation
import Testing

/// The time for hostile text stays linear. At 64 KiB, a quadratic scanner takes minutes.
@Suite struct RedactionTimeTests {
  private static let count = 65_536

  @Test(arguments: [
    "bearer", "bearer x", "eyJ", "eyJ.", "eyJhbGciOi.", "-----BEGIN ", "-----BEGIN x-----END ", "4",
    "41 ", "4111 ", "@", "a@", "a.", "password=", "password=\"", "password=[", "\\", "\\u", "%",
    "%4",
    "+", "://", "://a:", "aB1", "0f", "0 ", "\"'", "\u{1F600}",
  ])
  func repeatedTextEnds(text: String) throws {
    let registry = SecretRegistry()
    try registry.register("aB1aB1aB1aB1" + String(repeating: "x", count: 300))
    let long = String(repeating: text, count: Self.count / text.utf8.count)
    let time = ContinuousClock().measure {
      _ = Redactor(secrets: registry, patterns: .all).redact(long)
    }
    #expect(time < .seconds(120))
  }

  @Test func longTextIsCut() {
    let long = String(repeating: "word ", count: 1_000_000)
    let text = Redactor().redact(long)
    #expect(text.utf8.count < Self.count + 100)
    #expect(text.hasSuffix("[\(5_000_000 - Self.count) bytes more were cut off]"))
  }
}
