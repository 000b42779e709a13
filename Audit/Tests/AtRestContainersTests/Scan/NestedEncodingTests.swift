import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Canaries in several encodings within each other, which only decoding can find.
@Suite struct NestedEncodingTests {
  private static let typed = "violet-kestrel-48"

  private func scan(_ files: [String: [UInt8]]) throws -> ContainerScan.Result {
    let canary = try Canary(name: "typed", value: Self.typed)
    return try ContainerScan(ContainerSource(files: files), canaries: [canary]).run()
  }

  /// The place and the encodings of each canary.
  private func found(_ files: [String: [UInt8]]) throws -> [String] {
    try scan(files).discoveries.map { found in
      guard case .canary(_, let encodings) = found.subject else { return "\(found.locator)" }
      return "\(found.locator): \(encodings.joined(separator: ", "))"
    }
  }

  private static func base64(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  /// The text in Base64, twice, with each character written in hexadecimal.
  private static let deep = base64(base64(typed.utf8).utf8).utf8.map {
    String(format: "%%%02x", $0)
  }.joined()

  @Test func aValueIsDecodedToTheLastEncoding() throws {
    let text = "{\"page\": \"shown as \(Self.deep) on the left\"}"
    #expect(
      try found(["a.json": Array(text.utf8)]) == ["a.json › page: percent, base64, base64"])
  }

  @Test func aCompressedPartOfATextIsUnpacked() throws {
    let packed = Self.base64(Packing.gzip(Array("a page of \(Self.typed)".utf8)))
    let text = "first line\nthe page \(packed) was sent\n"
    #expect(try found(["a.log": Array(text.utf8)]) == ["a.log › line 2: base64, gzip"])
  }

  @Test func theBytesOfASmallFileAreDecoded() throws {
    let bytes: [UInt8] = [0, 1, 2, 3] + Array(Self.deep.utf8) + [0, 0x81]
    #expect(try found(["a.bin": bytes]) == ["a.bin › byte 4: percent, base64, base64"])
  }

  @Test func aValueThatUnpacksToTooMuchIsReported() throws {
    let bomb = Packing.zeros(32 << 20)
    let text = "{\"page\": \"shown as \(Self.base64(bomb)) on the left\"}"
    let result = try scan(["a.json": Array(text.utf8)])
    #expect(
      result.summary.problems.map(\.description) == [
        "a.json › page: The compressed parts of the value unpack to more than 16777216 bytes."
      ])
  }
}

extension WalkProblem {
  fileprivate var description: String { "\(locator): \(reason)" }
}
