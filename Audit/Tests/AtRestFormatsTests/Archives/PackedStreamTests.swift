import AtRestFormats
import Testing

@Suite struct PackedStreamTests {
  private static let text = (0..<200).flatMap {
    Array("line \($0) of a text that repeats itself\n".utf8)
  }
  private static let limit = 1 << 20

  private func gzip(_ bytes: [UInt8], limit: Int = limit) throws -> [UInt8] {
    var result: [UInt8] = []
    try Gzip.read(ByteSource(bytes), limit: limit) { result += $0 }
    return result
  }

  private func lz4(_ bytes: [UInt8], limit: Int = limit) throws -> [UInt8] {
    var result: [UInt8] = []
    try LZ4Frame.read(ByteSource(bytes), limit: limit) { result += $0 }
    return result
  }

  private func blocks(_ bytes: [UInt8], limit: Int = limit) throws -> [UInt8] {
    var result: [UInt8] = []
    try AppleBlocks.read(ByteSource(bytes), limit: limit) { result += $0 }
    return result
  }

  @Test func allMembersOfAGzipAreRead() throws {
    let bytes = try Fixture.bytes("Made/two.gz")
    #expect(try gzip(bytes) == Self.text + Array("second member".utf8))
    #expect(try Gzip.name(ByteSource(bytes)) == "notes.txt")
  }

  @Test func whatComesOutIsBounded() throws {
    #expect(throws: FormatError.self) { try gzip(Fixture.bytes("Made/two.gz"), limit: 100) }
    #expect(throws: FormatError.self) { try lz4(Fixture.bytes("Made/text.lz4"), limit: 100) }
    #expect(throws: FormatError.self) { try blocks(Fixture.bytes("Made/text.bv4"), limit: 100) }
  }

  @Test func whatIsCutOffIsAnErrorAfterWhatIsThere() throws {
    var count = 0
    #expect(throws: FormatError.self) {
      try Gzip.read(ByteSource(Array(Fixture.bytes("Made/two.gz").dropLast(20))), limit: 1 << 20) {
        count += $0.count
      }
    }
    #expect(count >= Self.text.count)
  }

  @Test func zlibAndRawStreamsAreRead() throws {
    // `hello` in a stored block.
    let raw: [UInt8] = [1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)
    #expect(try Inflate.bytes(of: raw, as: .raw, limit: 10) == Array("hello".utf8))
    let zlib = [0x78, 0x01] + raw + [0x06, 0x2C, 0x02, 0x15]
    #expect(try Inflate.bytes(of: zlib, as: .zlib, limit: 10) == Array("hello".utf8))
  }

  @Test func aFrameOfLZ4IsRead() throws {
    let bytes = try Fixture.bytes("Made/text.lz4")
    #expect(try lz4(bytes) == Self.text)
    #expect(try lz4(bytes + bytes) == Self.text + Self.text)
  }

  @Test func blocksMayReferToThoseBefore() throws {
    let expected = Self.text + Self.text.suffix(16) + Array("aftertail".utf8)
    #expect(try blocks(Fixture.bytes("Made/text.bv4")) == expected)
  }

  @Test func storedBlocksOfLZFSEAreRead() throws {
    #expect(try blocks(Fixture.bytes("Made/text.bvx")) == Array("stored".utf8))
    #expect(throws: FormatError("The block is damaged or too large.", offset: 0)) {
      try blocks(Array("bvx3".utf8) + [UInt8](repeating: 0, count: 40))
    }
  }

  @Test func brokenStreamsAreSurvived() throws {
    Hostile.forms(of: try Fixture.bytes("Made/two.gz"), changes: 700) { _ = try? gzip($0) }
    Hostile.forms(of: try Fixture.bytes("Made/text.lz4"), changes: 700) { _ = try? lz4($0) }
    Hostile.forms(of: try Fixture.bytes("Made/text.bv4"), changes: 700) { _ = try? blocks($0) }
  }
}
