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

  /// A value of 65 MiB is named, and what follows it is read.
  @Test func aLargeValueIsNoDamage() throws {
    let size = 68_157_458
    let zeros = 65 << 20
    let head = number(size) + [1, 3] + Array("big".utf8) + [4] + number(zeros)
    let first = frame("a", "one") + head
    let last = number(2_392_397_163) + frame("c", "three")
    let source = ByteSource(count: first.count + zeros + last.count) { range throws(FormatError) in
      var bytes = [UInt8](repeating: 0, count: range.count)
      for (part, start) in [(first, 0), (last, first.count + zeros)] {
        let shared = range.clamped(to: start..<start + part.count)
        if shared.isEmpty { continue }
        bytes.replaceSubrange(
          shared.lowerBound - range.lowerBound..<shared.upperBound - range.lowerBound,
          with: part[shared.lowerBound - start..<shared.upperBound - start])
      }
      return bytes
    }
    let box = try #require(HiveBox(source))
    var records: [HiveBox.Record] = []
    let skipped = try box.read(path: "a") { records.append($0) }
    #expect(records.map(\.key) == ["a", "big", "c"])
    #expect(records.map { $0.value == nil } == [false, true, false])
    #expect(
      skipped.map(\.reason) == ["The value of “big”, of 68157445 bytes, is too long to be read."])
  }

  /// Frames that are whole lie between ones that claim the rest of the file.
  @Test func framesThatClaimTheFileEndTheReading() throws {
    let whole = frame("a", "one")
    var bytes: [UInt8] = []
    let count = 1 << 20
    while bytes.count < count {
      bytes += whole + number(count - bytes.count - whole.count) + [1, 1, 0x62, 0]
    }
    let made = bytes
    let counter = ReadCounter()
    let source = ByteSource(count: made.count) { range throws(FormatError) in
      counter.add(range.count)
      return Array(made[range])
    }
    let box = try #require(HiveBox(source))
    _ = try box.read(path: "a") { _ in }
    #expect(counter.count < 1 << 30)
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
