import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Texts in the metadata of images.
@Suite struct ImageTextsTests {
  private static let typed = "violet-kestrel-48"

  private func found(_ path: String, _ bytes: [UInt8]) throws -> [String] {
    let canary = try Canary(name: "typed", value: Self.typed)
    let scan = ContainerScan(ContainerSource(files: [path: bytes]), canaries: [canary])
    return try scan.run().discoveries.map { "\($0.locator)" }
  }

  private static func png(_ chunks: (String, [UInt8])...) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    for (kind, content) in [("IHDR", [UInt8](repeating: 0, count: 13))] + chunks {
      bytes += [0, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + Array(kind.utf8)
      bytes += content + [0, 0, 0, 0]
    }
    return bytes
  }

  /// EXIF with a description, in the given byte order.
  private static func exif(_ text: String, isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(value >> (8 * $0) & 0xFF) }
      return isLittle ? bytes : bytes.reversed()
    }
    return Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(1, 2)
      + number(0x010E, 2) + number(2, 2) + number(text.utf8.count + 1, 4) + number(26, 4)
      + number(0, 4) + Array(text.utf8) + [0]
  }

  @Test func aTextChunkHasItsName() throws {
    let text = Array("Comment\0a page of \(Self.typed)".utf8)
    #expect(try found("a.png", Self.png(("tEXt", text))) == ["a.png › Comment"])
  }

  @Test func aPackedTextChunkIsUnpacked() throws {
    let packed = try #require(
      Data(base64Encoded: "eJxLVChITE9VyE9TKMvMz0kt0c1OLS4pSs3RNbEAAIX1CYc="))
    let text = Array("Comment\0\0".utf8) + packed
    #expect(try found("a.png", Self.png(("zTXt", text))) == ["a.png › Comment"])
  }

  @Test func aTextWithALanguageIsRead() throws {
    let text = Array("Comment\0\0\0en\0Note\0a page of \(Self.typed)".utf8)
    #expect(try found("a.png", Self.png(("iTXt", text))) == ["a.png › Comment"])
  }

  @Test(arguments: [true, false]) func stringsOfEXIFAreRead(_ isLittle: Bool) throws {
    let exif = Self.exif("a page of \(Self.typed)", isLittle: isLittle)
    #expect(try found("a.png", Self.png(("eXIf", exif))) == ["a.png › ImageDescription"])
    let segment = Array("Exif\0\0".utf8) + exif
    let jpeg =
      [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment + [0xFF, 0xDA, 0, 2, 1, 2]
    #expect(try found("a.jpg", jpeg) == ["a.jpg › ImageDescription"])
  }

  @Test func damagedMetadataIsHarmless() throws {
    let exif = Self.exif("a page", isLittle: true)
    for index in exif.indices {
      var changed = exif
      changed[index] = 0xFF
      _ = try found("a.png", Self.png(("eXIf", changed)))
    }
  }
}
