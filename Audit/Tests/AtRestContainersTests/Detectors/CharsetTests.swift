import AtRestContainers
import Foundation
import Testing

/// Canaries in character sets other than UTF-8 and UTF-16.
@Suite struct CharsetTests {
  private static let typed = "Grüße an Zoë"

  private func found(_ bytes: [UInt8]) throws -> [[String]] {
    let matcher = CanaryMatcher([try Canary(name: "typed", value: Self.typed)])
    return matcher.matches(in: [1, 2, 3, 0] + bytes + [0, 0, 0]).map(\.encodings)
  }

  @Test(arguments: [
    (String.Encoding.isoLatin1, "latin-1"), (.macOSRoman, "mac-roman"),
    (.utf32LittleEndian, "utf-32"), (.utf32BigEndian, "utf-32"),
  ])
  func aTextIsFoundInACharset(_ charset: String.Encoding, _ name: String) throws {
    let data = try #require(Self.typed.data(using: charset))
    #expect(try found(Array(data)) == [[name]])
  }

  @Test func charactersOfWindowsAreFound() throws {
    let matcher = CanaryMatcher([try Canary(name: "typed", value: "“Grüße” – Zoë")])
    let bytes =
      Array("a ".utf8) + [0x93] + Array("Gr".utf8) + [0xFC, 0xDF]
      + Array("e".utf8) + [0x94, 0x20, 0x96, 0x20] + Array("Zo".utf8) + [0xEB]
    #expect(matcher.matches(in: bytes).map(\.encodings) == [["windows-1252"]])
  }
}
