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

  /// The file and the one beside it, of the version that keeps the size there.
  private func store(of contents: [UInt8]) throws -> (source: ByteSource, state: MMKVState) {
    func number(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }
    let sum = ~contents.reduce(~UInt32(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    var state = [UInt8](repeating: 0, count: 112)
    state.replaceSubrange(0..<4, with: number(sum))
    state[4] = 3
    state.replaceSubrange(28..<32, with: number(UInt32(contents.count)))
    let bytes = number(0) + contents
    let filler = [UInt8](repeating: 0, count: 4096 - bytes.count)
    return (ByteSource(bytes + filler), try #require(MMKVState(ByteSource(state))))
  }

  @Test func aFirstKeyOfAnyBytesIsNoEncryption() throws {
    let number: [UInt8] = [0xFF, 0xFF, 0xFF, 0x07]
    for changes in [
      [change([1, 0xFF, 2], "one"), change("name", "two")], [change([1, 0xFF, 2], "one")],
    ] {
      let (source, state) = try store(of: number + changes.flatMap { $0 })
      #expect(MMKVStore.isStore(source, state))
      #expect(try !MMKVStore.isEncrypted(source, state))
      var count = 0
      let skipped = try MMKVStore.read(source, state, path: "a") { _ in count += 1 }
      #expect(skipped.isEmpty && count == changes.count)
    }
  }

  /// Encrypted contents are random, and the changes in them lead to the end by chance.
  @Test(arguments: [24, 100, 1000]) func randomContentsAreEncrypted(_ size: Int) throws {
    var random = SeededNumbers(seed: UInt64(size))
    var count = 0
    for _ in 0..<500 {
      let contents = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      let (source, state) = try store(of: contents)
      if try MMKVStore.isEncrypted(source, state) { count += 1 }
    }
    #expect(count >= 499)
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
