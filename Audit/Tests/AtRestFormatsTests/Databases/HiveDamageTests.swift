import AtRestFormats
import Testing

/// Boxes with keys of any bytes, damaged ones, and files that somebody wrote against their reader.
@Suite struct HiveDamageTests {
  private func read(_ bytes: [UInt8]) throws -> (records: [HiveBox.Record], skipped: [String]) {
    let box = try #require(HiveBox(ByteSource(bytes)))
    var records: [HiveBox.Record] = []
    let skipped = try box.read(path: "a") { records.append($0) }
    return (records, skipped.map(\.reason))
  }

  private func number(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }

  /// A change that gives a key a text.
  private func frame(_ key: [UInt8], _ text: String) -> [UInt8] {
    let value = [4] + number(text.utf8.count) + Array(text.utf8)
    let body = [1, UInt8(key.count)] + key + value
    let bytes = number(8 + body.count) + body
    let sum = ~bytes.reduce(~UInt32(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    return bytes + number(Int(sum))
  }

  private func frame(_ key: String, _ text: String) -> [UInt8] { frame(Array(key.utf8), text) }

  /// A newline, and two keys in Latin-1 that are alike as damaged UTF-8.
  @Test func aKeyMayHaveAnyBytes() throws {
    let bytes =
      frame("line\nkey", "one") + frame([0x6B, 0xFC], "two") + frame([0x6B, 0xF6], "three")
      + frame("k", "four")
    let (records, skipped) = try read(bytes)
    #expect(skipped.isEmpty)
    #expect(records.map(\.key) == ["line\nkey", "kü", "kö", "k"])
    #expect(!records.contains { $0.isReplaced })
    #expect(try read([1, 2, 3] + frame("k", "four") + bytes).records.count == 5)
  }

  @Test func aDamagedSizeIsNotTheEnd() throws {
    let frames = ["a", "b", "c", "d"].map { frame($0, "a text of \($0)") }
    var bytes = frames.flatMap { $0 }
    let start = frames[0].count
    bytes[start + 2] = 1
    let (records, skipped) = try read(bytes)
    #expect(records.map(\.key) == ["a", "c", "d"])
    #expect(skipped == ["Bytes \(start) to \(start + frames[1].count) of the box are damaged."])
    // The last frame has nothing behind it.
    let cut = try read(bytes.dropLast(frames[2].count + frames[3].count + 3))
    #expect(cut.records.map(\.key) == ["a", "b"])
    #expect(cut.skipped == ["The box is cut off."])
  }

  /// Many beginnings of frames lead to the same next frame, of which a checksum is made.
  @Test func recognitionEnds() throws {
    let first = 4096
    let size = 1 << 20
    var bytes = [UInt8](repeating: 0, count: first + size + 64)
    for start in stride(from: 0, to: first - 16, by: 16) {
      bytes.replaceSubrange(start..<start + 4, with: number(first - start))
    }
    bytes.replaceSubrange(first..<first + 4, with: number(size))
    let made = bytes
    let counter = ReadCounter()
    let source = ByteSource(count: made.count) { range throws(FormatError) in
      counter.add(range.count)
      return Array(made[range])
    }
    #expect(HiveBox(source) == nil)
    #expect(counter.count < 8 * size)
  }

  @Test func anErrorOfTheCallerEndsTheReading() throws {
    let box = try #require(HiveBox(ByteSource(frame("a", "one") + frame("b", "two"))))
    var count = 0
    #expect(throws: FormatError("enough")) {
      try box.read(path: "a") { _ throws(FormatError) in
        count += 1
        throw FormatError("enough")
      }
    }
    #expect(count == 1)
  }
}
