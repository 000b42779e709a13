import AtRestFormats
import Testing

@Suite struct ImageSizeTests {
  private static let png: [UInt8] =
    [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 3, 0x20, 0, 0, 2, 0x58, 8, 2, 0, 0, 0]
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC2, 0, 11, 8, 2, 0x58, 3, 0x20, 1, 1, 1, 1]
  private static let snapshot: [UInt8] =
    Array("AAPL\r\n\u{1A}\n".utf8) + [44, 0, 0, 0] + Array("HEAD".utf8)
    + [UInt8](repeating: 0, count: 24) + [0x20, 3, 0, 0, 0x58, 2, 0, 0]
    + [UInt8](repeating: 0, count: 12)
  private static let texture: [UInt8] =
    [0xAB] + Array("KTX 11".utf8) + [0xBB, 13, 10, 26, 10, 1, 2, 3, 4]
    + [UInt8](repeating: 0, count: 20) + [0x20, 3, 0, 0, 0x58, 2, 0, 0]
    + [UInt8](repeating: 0, count: 20)

  @Test(arguments: [png, jpeg, snapshot, texture]) func theSizeIsRead(_ bytes: [UInt8]) throws {
    let size = try ImageSize(ByteSource(bytes))
    #expect(size.width == 800)
    #expect(size.height == 600)
  }

  @Test(arguments: [png, jpeg, snapshot, texture]) func brokenImagesAreSurvived(_ bytes: [UInt8]) {
    Hostile.forms(of: bytes) { _ = try? ImageSize(ByteSource($0)) }
  }
}
