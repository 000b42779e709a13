import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Canaries whose bytes are written as numbers, as dumps, or in folded lines.
@Suite struct WrittenBytesTests {
  private static let typed = "violet-kestrel-48"

  private func found(_ path: String, _ text: String) throws -> [String] {
    let canary = try Canary(name: "typed", value: Self.typed)
    let scan = ContainerScan(
      ContainerSource(files: [path: Array(text.utf8)]), canaries: [canary])
    return try scan.run().discoveries.map { found in
      guard case .canary(_, let encodings) = found.subject else { return "\(found.locator)" }
      return "\(found.locator): \(encodings.joined(separator: ", "))"
    }
  }

  @Test func anArrayOfJSONHasItsPath() throws {
    let numbers = Self.typed.utf8.map(String.init).joined(separator: ",")
    #expect(try found("a.json", "{\"page\": [\(numbers)]}") == ["a.json › page › integers: "])
  }

  @Test func aDescriptionOfAnArrayIsRead() throws {
    let numbers = Self.typed.utf8.map(String.init).joined(separator: ", ")
    #expect(
      try found("a.log", "first\nsent [\(numbers)] to it\n") == ["a.log › line 2: integers"])
  }

  @Test func hexadecimalNumbersAreRead() throws {
    let numbers = Self.typed.utf8.map { String(format: "0x%02X", $0) }.joined(separator: ", ")
    #expect(try found("a.log", "sent {\(numbers)};\n") == ["a.log › line 1: integers"])
  }

  @Test func theDumpOfXxdIsRead() throws {
    let dump = """
      00000000: 6120 7061 6765 3a20 7669 6f6c 6574 2d6b  a page: violet-k
      00000010: 6573 7472 656c 2d34 380a                 estrel-48.
      """
    #expect(try found("a.txt", "a dump:\n\(dump)\n") == ["a.txt › byte 8: hex dump"])
  }

  @Test func theDumpOfHexdumpIsRead() throws {
    let dump = """
      00000000  61 20 70 61 67 65 3a 20  76 69 6f 6c 65 74 2d 6b  |a page: violet-k|
      00000010  65 73 74 72 65 6c 2d 34  38 0a                    |estrel-48.|
      0000001a
      """
    #expect(try found("a.txt", "a dump:\n\(dump)\n") == ["a.txt › byte 8: hex dump"])
  }

  @Test func aDumpOfWordsIsReadInBothOrders() throws {
    let dump = """
      0000000 6976 6c6f 7465 6b2d 7365 7274 6c65 342d
      0000010 0a38
      """
    #expect(try found("a.txt", "\(dump)\n") == ["a.txt › byte 0: hex dump"])
  }

  @Test func aFoldedLineIsJoined() throws {
    let card = """
      BEGIN:VCARD\r
      NOTE:a page of text that is longer than a line of a card may be, vio\r
       let-kestrel-48 and more\r
      END:VCARD\r
      """
    #expect(try found("a.vcf", card) == ["a.vcf › byte 13: folded"])
  }

  @Test func reversedBase64IsFound() throws {
    let text = String(Data("a page of \(Self.typed) was".utf8).base64EncodedString().reversed())
    #expect(try found("a.log", "sent \(text)\n") == ["a.log › line 1: reversed, base64"])
  }

  @Test func escapesInBracesAreRead() throws {
    let text = Self.typed.unicodeScalars.enumerated().map { index, scalar in
      index % 2 == 0
        ? "\\u{\(String(scalar.value, radix: 16))}"
        : "\\U000000"
          + String(scalar.value, radix: 16)
    }.joined()
    #expect(try found("a.log", "sent \(text)\n") == ["a.log › line 1: escapes"])
  }
}
