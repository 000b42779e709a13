import AtRestFormats
import Testing

@Suite struct FleeceDocumentTests {
  /// The description of the format has these two forms of `{"foo": 123}`.
  @Test(
    arguments: [
      [0x43, 0x66, 0x6F, 0x6F, 0x70, 0x01, 0x80, 0x03, 0x00, 0x7B, 0x80, 0x03],
      [0x78, 0x01, 0x43, 0x66, 0x6F, 0x6F, 0x00, 0x7B, 0x00, 0x00, 0x80, 0x05],
    ] as [[UInt8]]) func theExamplesOfTheFormatAreRead(_ bytes: [UInt8]) throws
  {
    let document = try FleeceDocument(bytes, path: "d")
    #expect(document.skipped.isEmpty)
    #expect(document.root.entries?.map(\.key) == ["foo"])
    guard case .integer(123)? = document.root["foo"]?.value else {
      throw FormatError("The value is not 123.")
    }
  }

  @Test func sharedKeysAreNamed() throws {
    let bytes: [UInt8] = [0x70, 0x02, 0x00, 0x01, 0x38, 0x00, 0x00, 0x05, 0x34, 0x00, 0x80, 0x05]
    let document = try FleeceDocument(bytes, sharedKeys: ["a", "token"], path: "d")
    #expect(document.root.entries?.map(\.key) == ["token", "#5"])
    #expect(document.root["token"]?.boolean == true)
  }

  @Test func aRingIsCutAndReported() throws {
    // An array whose only value refers back to it.
    let document = try FleeceDocument([0x60, 0x01, 0x80, 0x01, 0x80, 0x02], path: "d")
    #expect(document.root.array?.count == 1)
    #expect(
      document.skipped.map(\.reason) == ["The document contains a value that contains itself."])
  }

  @Test func textsInTheSameBytesDoNotGrowWithoutBound() throws {
    // A hundred texts of 20,000 bytes, each of which begins inside the one before it.
    var bytes = (0..<100).flatMap { _ in [0x4F, 0xA0, 0x9C, 0x01, 0x41, 0x41] as [UInt8] }
    bytes += [UInt8](repeating: 0x41, count: 20_000)
    let array = bytes.count
    bytes += [0x60, 100]
    for index in 0..<100 {
      let distance = (bytes.count - 6 * index) / 2
      bytes += [0x80 | UInt8(distance >> 8), UInt8(distance & 0xFF)]
    }
    let distance = (bytes.count - array) / 2
    bytes += [0x80 | UInt8(distance >> 8), UInt8(distance & 0xFF)]
    let document = try FleeceDocument(bytes, path: "d")
    #expect(document.root.array?.compactMap(\.string).count == 1)
    #expect(document.skipped.map(\.reason) == ["The document contains damaged values."])
  }

  @Test func brokenDocumentsAreSurvived() {
    var bytes: [UInt8] = Array("Dsomething".utf8) + [0x5F, 0x10] + [UInt8](repeating: 9, count: 16)
    bytes += [
      0x28, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0x60, 0x03, 0x80, 0x06, 0x80, 0x12, 0x1B, 0x80,
    ]
    bytes += [0x80, 0x04]
    Hostile.forms(of: bytes) { _ = try? FleeceDocument($0, path: "d") }
  }
}
