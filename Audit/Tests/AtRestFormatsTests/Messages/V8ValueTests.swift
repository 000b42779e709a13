import AtRestFormats
import Foundation
import Testing

/// Values that Chromium wrote into IndexedDB: see `Scripts/make-indexeddb-fixtures.py`.
@Suite struct V8ValueTests {
  private static let limit = 1 << 20

  private func records() throws -> [LevelDBRecord] {
    var records: [LevelDBRecord] = []
    _ = try LevelDBLog.read(
      ByteSource(StoreFile.bytes("indexeddb/000003.log")), path: "a"
    ) { records.append($0) }
    return records
  }

  /// Reads a value of version 15 without an envelope. Each character is a byte.
  private func node(_ tags: String, limit: Int = limit) -> PropertyList.Node? {
    V8Value.read(bytes("\u{FF}\u{F}" + tags), limit: limit)
  }

  private func read(_ tags: String) -> String { node(tags).map { "\($0.value)" } ?? "nil" }

  private func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  @Test func eachRecordOfChromiumIsRead() throws {
    var values: [String: PropertyList.Node] = [:]
    for record in try records() {
      guard let key = IndexedDBKey(record.key), let value = record.value else { continue }
      values["\(key.database)/\(key.store) \(key.text)"] = V8Value.read(value, limit: Self.limit)
    }
    #expect(
      values.keys.sorted() == ["1/1 7", "1/1 draft", "1/1 removed, 1", "1/1 replaced", "1/2 Jane"])
    let draft = try #require(values["1/1 draft"])
    #expect(draft.entries?.map(\.key) == ["note", "list", "wide", "map", "data"])
    #expect(draft.entries?.first { $0.key == "wide" }?.node.string?.hasPrefix("✓ ") == true)
    #expect(draft.entries?.first { $0.key == "list" }?.node.array?.count == 6)
    // What Snappy packs.
    #expect(values["1/1 7"]?.string.map { $0.utf8.count > 70_000 } == true)
  }

  @Test func whatIsUnpackedIsBounded() throws {
    let long = try #require(
      records().first { IndexedDBKey($0.key)?.text == "7" && $0.value != nil }?.value)
    #expect(V8Value.read(long, limit: 1000) == nil)
  }

  @Test(arguments: [
    ("__\0", "null"), ("T\0\0", "boolean(true)"), ("I\u{3}\0", "integer(-2)"),
    ("U\u{3}\0", "integer(3)"), ("N\0\0\0\0\0\0\u{E0}\u{3F}", "real(0.5)"),
    ("D\0\0\0\0\0\0\u{E0}\u{3F}", "real(0.5)"), ("\"\u{1}\u{E9}", #"string("é")"#),
    ("c\u{2}\u{13}\u{27}", #"string("✓")"#), ("S\u{3}\u{E2}\u{9C}\u{93}", #"string("✓")"#),
    ("Z\u{4}ab", "null"), ("s\"\u{1}a", #"string("a")"#), ("R\"\u{1}a\0", #"string("a")"#),
    ("?\u{1}T", "boolean(true)"), ("^\u{1}\0", "null"), ("y\0\0", "boolean(true)"),
  ]) func aValueIsRead(_ tags: String, _ value: String) { #expect(read(tags) == value) }

  @Test func collectionsAreRead() {
    #expect(node("a\u{9}I\u{2}T@\u{1}\u{9}")?.array?.count == 1)
    #expect(node("A\u{2}TF\"\u{1}kT$\u{1}\u{2}")?.array?.count == 3)
    #expect(node("o\"\u{1}kTU\u{5}F{\u{2}")?.entries?.map(\.key) == ["k", "5"])
    #expect(read("B\u{1}\u{7}VB\0\u{1}\0").hasPrefix("data("))
    // A map whose keys are no texts is a list.
    #expect(node(";TU\u{2}:\u{2}")?.array?.count == 2)
  }

  @Test(arguments: [
    "", "?", "w\u{1}\0", "\"\u{C8}\u{1}a", "o\"\u{1}k{\u{1}", "A\u{7F}T$\0\0",
    "T0123456789012345678",
    String(repeating: "o", count: 300), String(repeating: "A\u{1}", count: 300),
  ]) func othersAreNoValues(_ tags: String) { #expect(node(tags) == nil) }

  @Test func aVersionMayPrecede() {
    #expect(V8Value.read(bytes("a\u{FF}\u{F}T\0"), limit: 9) != nil)
    #expect(V8Value.read(bytes("a\u{FF}\u{15}\u{FF}\u{10}T\0"), limit: 9) != nil)
    #expect(V8Value.read([UInt8](repeating: 0xFF, count: 9), limit: 9) == nil)
    #expect(V8Value.read(bytes("a text of letters"), limit: 9) == nil)
  }

  @Test func keysAreRead() {
    func text(_ key: [UInt8]) -> String? { IndexedDBKey([0, 1, 2, 1] + key)?.text }
    #expect(text([1, 1, 0x27, 0x13]) == "✓")
    #expect(text([3, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F]) == "0.5")
    #expect(text([4, 2, 1, 1, 0, 0x61, 6, 1, 9]) == "a, 1 bytes")
    // Of another index, cut off, and with a rest.
    #expect(IndexedDBKey([0, 1, 2, 30, 1, 1, 0, 0x61]) == nil)
    #expect(text([1, 2, 0, 0x61]) == nil && text([1, 1, 0, 0x61, 0]) == nil)
    #expect(text([UInt8](repeating: 4, count: 60)) == nil)
  }

  @Test func brokenValuesAreSurvived() throws {
    for value in try records().compactMap(\.value) where value.count > 40 {
      Hostile.forms(of: value, changes: 200) { _ = V8Value.read($0, limit: Self.limit) }
    }
  }
}
