import AtRestFormats
import Testing

/// Stores with keys of any bytes, and damaged ones: what is in the contents is not deleted.
@Suite struct MMKVDamageTests {
  private func read(_ bytes: [UInt8]) throws -> (records: [MMKVRecord], skipped: [String]) {
    var records: [MMKVRecord] = []
    let skipped = try MMKVStore.read(ByteSource(bytes), path: "a") { records.append($0) }
    return (records, skipped.map(\.reason))
  }

  /// A change that gives a key a text.
  private func change(_ key: [UInt8], _ text: String) -> [UInt8] {
    [UInt8(key.count)] + key + [UInt8(text.utf8.count + 1), UInt8(text.utf8.count)] + text.utf8
  }

  private func change(_ key: String, _ text: String) -> [UInt8] { change(Array(key.utf8), text) }

  /// A store whose contents begin with changes beyond doubt.
  private func store(_ changes: [[UInt8]], behind: [UInt8] = []) -> [UInt8] {
    let first = (0..<6).flatMap { change("a long key \($0)", "a value \($0)") }
    let contents = [0xFF, 0xFF, 0xFF, 0x07] + first + changes.flatMap { $0 }
    let size = (0..<4).map { UInt8(contents.count >> (8 * $0) & 0xFF) }
    let bytes = size + contents + behind
    return bytes + [UInt8](repeating: 0, count: 4096 - bytes.count)
  }

  /// A newline, and two keys in Latin-1 that are alike as damaged UTF-8.
  @Test func aKeyOfTheContentsMayHaveAnyBytes() throws {
    let changes = [
      change("line\nkey", "one"), change([0x6B, 0xFC], "two"), change([0x6B, 0xF6], "three"),
      change("other", "four"),
    ]
    let (records, skipped) = try read(store(changes))
    #expect(skipped.isEmpty)
    #expect(records.map(\.key).suffix(4) == ["line\nkey", "kü", "kö", "other"])
    #expect(records.count == 10 && !records.contains { $0.isReplaced })
  }

  @Test func whatFollowsADamagedChangeIsNotDeleted() throws {
    let behind = change("removed", "five")
    var bytes = store(
      [change("draft", "one"), change("note", "two"), change("draft", "three")],
      behind: [1] + behind)
    let whole = try read(bytes)
    #expect(whole.records.count == 10)
    let damaged = whole.records[6].offset
    // A key that is longer than the contents.
    bytes[damaged] = 0x7F
    let (records, skipped) = try read(bytes)
    #expect(skipped == ["The change at byte \(damaged) is damaged."])
    let kept = records.filter { $0.offset > damaged }
    #expect(kept.map(\.key) == ["note", "draft", "removed"])
    #expect(kept.map(\.isReplaced) == [false, false, true])
  }

  @Test func anErrorOfTheCallerEndsTheReading() throws {
    var count = 0
    #expect(throws: FormatError("enough")) {
      try MMKVStore.read(ByteSource(store([])), path: "a") { _ throws(FormatError) in
        count += 1
        throw FormatError("enough")
      }
    }
    #expect(count == 1)
  }
}
