import AtRestFormats
import Foundation
import Testing

/// Streams that Apple's reference encoder wrote: `bvx2` and `bvx1`, the two forms of LZFSE, and
/// `bvxn`, which is LZVN.
@Suite struct LZFSETests {
  private static let short =
    "first line of the page\na page with violet-kestrel-48 in it, a page with more text after it\n"

  private static func text(_ name: String) throws -> [UInt8] {
    name == "short.bvxn" ? Array((short + short).utf8) : try Fixture.bytes("Made/long.txt")
  }

  private func unpack(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [UInt8] {
    var result: [UInt8] = []
    try AppleBlocks.read(ByteSource(bytes), limit: limit) { result += $0 }
    return result
  }

  @Test(arguments: ["long.bvx1", "long.bvx2", "short.bvxn"])
  func aStreamIsReadToItsEnd(_ name: String) throws {
    let bytes = try Fixture.bytes("Made/\(name)")
    #expect(try unpack(bytes) == Self.text(name))
    let end = try AppleBlocks.read(ByteSource(bytes + [9, 9, 9]), limit: 1 << 20) { _ in }
    #expect(end == bytes.count)
    #expect(FileType.read(bytes, isWhole: true) == .lzfse)
  }

  @Test func aStreamMayHaveBlocksOfAllKinds() throws {
    let stored = "bvx-".utf8 + [4, 0, 0, 0] + "text".utf8
    let blocks = try ["long.bvx2", "long.bvx1"].flatMap {
      try Fixture.bytes("Made/\($0)").dropLast(4)
    }
    let all = try blocks + stored + Fixture.bytes("Made/short.bvxn")
    let long = try Fixture.bytes("Made/long.txt")
    #expect(try unpack(all) == long + long + Array("text".utf8) + Self.text("short.bvxn"))
  }

  @Test(arguments: ["long.bvx1", "long.bvx2", "short.bvxn"])
  func moreThanTheLimitThrows(_ name: String) throws {
    let bytes = try Fixture.bytes("Made/\(name)")
    let count = try Self.text(name).count
    #expect(throws: FormatError.self) { try unpack(bytes, limit: count - 1) }
    #expect(try unpack(bytes, limit: count).count == count)
  }

  @Test(arguments: ["long.bvx1", "long.bvx2", "short.bvxn"])
  func aCutOrDamagedStreamThrowsOrEnds(_ name: String) throws {
    let bytes = try Fixture.bytes("Made/\(name)")
    let text = try Self.text(name)
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: FormatError.self) { try unpack(Array(bytes.prefix(count))) }
    }
    var damaged = 0
    Hostile.forms(of: bytes, changes: 700) { form in
      let result = try? unpack(form)
      if result != text { damaged += 1 }
      #expect((result?.count ?? 0) <= 1 << 20)
    }
    #expect(damaged > 300)
  }

  @Test func aBlockThatClaimsMoreThanItHasThrows() throws {
    var bytes = try Fixture.bytes("Made/short.bvxn")
    bytes[4] += 1
    #expect(throws: FormatError.self) { try unpack(bytes) }
    var long = try Fixture.bytes("Made/long.bvx2")
    long[4] += 1
    #expect(throws: FormatError.self) { try unpack(long) }
  }

  /// A match that begins before the output must not read other memory.
  @Test func aMatchBeforeTheStartThrows() throws {
    // Three literals, and a match of three bytes at a distance of 4.
    let packed: [UInt8] = [0xC0, 4, 0x61, 0x62, 0x63, 6, 0, 0, 0, 0, 0, 0, 0]
    func stream(_ distance: UInt8) -> [UInt8] {
      var packed = packed
      packed[1] = distance
      return "bvxn".utf8 + [6, 0, 0, 0, UInt8(packed.count), 0, 0, 0] + packed + "bvx$".utf8
    }
    #expect(try unpack(stream(3)) == Array("abcabc".utf8))
    #expect(try unpack(stream(1)) == Array("abcccc".utf8))
    #expect(throws: FormatError.self) { try unpack(stream(4)) }
    #expect(throws: FormatError.self) { try unpack(stream(0)) }
  }
}
