import AtRestFormats
import CZlib
import Testing

@Suite struct GzipIndexTests {
  /// Ten mebibytes, which have many blocks and several places at which reading can begin. Within
  /// the distance that a block can refer back to, no part is repeated.
  private static let plain: [UInt8] = {
    var state: UInt64 = 1
    let part = (0..<1 << 16).map { index in
      if index % 3 == 0 { state = state &* 6_364_136_223_846_793_005 &+ 1 }
      return UInt8(truncatingIfNeeded: state >> 60) + 0x61
    }
    return (0..<160).flatMap { index in part[(index * 31)...] + part[..<(index * 31)] }
  }()

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    deflateInit2_(
      &stream, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    var input = bytes
    let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
    let output = [UInt8](unsafeUninitializedCapacity: capacity) { room, filled in
      input.withUnsafeMutableBufferPointer { buffer in
        stream.next_in = buffer.baseAddress
        stream.avail_in = UInt32(buffer.count)
        stream.next_out = room.baseAddress
        stream.avail_out = UInt32(capacity)
        deflate(&stream, Z_FINISH)
        filled = Int(stream.total_out)
      }
    }
    deflateEnd(&stream)
    return output
  }

  @Test func readsAtAnyOffset() throws {
    let contents = try GzipIndex(ByteSource(Self.gzip(Self.plain)), limit: .max).contents
    #expect(contents.count == Self.plain.count)
    for start in stride(from: 0, to: contents.count - 70_000, by: 1_234_567).reversed() {
      let range = start..<start + 70_000
      #expect(try contents.read(range) == Array(Self.plain[range]))
    }
    #expect(try contents.read(0..<contents.count) == Self.plain)
  }

  @Test func readsAllMembers() throws {
    let half = Self.plain.count / 2
    let packed = Self.gzip(Array(Self.plain[..<half])) + Self.gzip(Array(Self.plain[half...]))
    let contents = try GzipIndex(ByteSource(packed), limit: .max).contents
    #expect(try contents.read(half - 10..<half + 10) == Array(Self.plain[half - 10..<half + 10]))
  }

  @Test func readsWhatIsThereOfACutFile() throws {
    let packed = Self.gzip(Self.plain)
    let index = try GzipIndex(ByteSource(Array(packed.prefix(packed.count / 2))), limit: .max)
    #expect(index.failure?.message == "The compressed data is cut off.")
    let count = index.count
    #expect(count > Self.plain.count / 3)
    #expect(try index.contents.read(0..<count) == Array(Self.plain[..<count]))
  }

  @Test func endsAtTheLimit() throws {
    let index = try GzipIndex(ByteSource(Self.gzip(Self.plain)), limit: 1000)
    #expect(index.count == 1000)
    #expect(index.failure != nil)
    #expect(try index.contents.read(0..<1000) == Array(Self.plain[..<1000]))
  }

  @Test func refusesWhatIsNoGzip() {
    #expect(throws: FormatError.self) { try GzipIndex(ByteSource([1, 2, 3]), limit: .max) }
  }
}
