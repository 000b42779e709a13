import AtRestFormats
import Foundation
import Testing

/// Stores that MMKV 2.4.2 wrote: see `Scripts/make-mmkv-fixtures.py`.
@Suite struct MMKVStoreTests {
  private func read(
    _ bytes: [UInt8], _ state: MMKVState? = nil
  ) throws -> (records: [MMKVRecord], skipped: [Skip]) {
    var records: [MMKVRecord] = []
    let skipped = try MMKVStore.read(ByteSource(bytes), state, path: "a") { records.append($0) }
    return (records, skipped)
  }

  private func state(_ name: String) throws -> MMKVState {
    try #require(MMKVState(ByteSource(try StoreFile.bytes("mmkv/\(name).crc"))))
  }

  private func text(_ record: MMKVRecord) -> String? {
    guard let value = record.value,
      case .data(let data) = MMKVRecord.content(of: value, expires: false)
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  @Test func eachChangeIsRead() throws {
    let (records, skipped) = try read(StoreFile.bytes("mmkv/settings"), state("settings"))
    #expect(skipped.isEmpty)
    #expect(
      records.map(\.key) == [
        "session", "theme", "session", "draft", "draft", "height", "balance", "enabled", "user",
        "photo", "recent", "long",
      ])
    #expect(
      records.map(\.isReplaced) == [true, false, false, true] + [Bool](repeating: false, count: 8))
    #expect(records[4].value == nil && text(records[1]) == "dark")
    #expect(records.map(\.offset) == records.map(\.offset).sorted())
  }

  /// The file beside the store may be missing. The contents end with zeros then.
  @Test func aStoreIsRecognisedWithoutItsState() throws {
    let bytes = try StoreFile.bytes("mmkv/settings")
    #expect(try StoreFile.type(bytes) == .mmkv)
    let alone = try read(bytes)
    #expect(alone.skipped.isEmpty)
    #expect(try alone.records.map(\.offset) == read(bytes, state("settings")).records.map(\.offset))
  }

  @Test func anOlderStoreHasItsSizeItself() throws {
    var bytes = try StoreFile.bytes("mmkv/settings")
    let size = try state("settings").size
    for index in 0..<4 { bytes[index] = UInt8(size >> (8 * index) & 0xFF) }
    #expect(try StoreFile.type(bytes) == .mmkv)
    #expect(try read(bytes).records.count == 12)
    // Zeros do not end it.
    bytes[4 + size - 20] = 0
    #expect(try read(bytes).skipped.isEmpty)
  }

  @Test func whatIsLeftBehindTheContentsIsRead() throws {
    let (records, skipped) = try read(StoreFile.bytes("mmkv/rewritten"), state("rewritten"))
    #expect(skipped.isEmpty)
    let size = try state("rewritten").size
    let remains = records.filter { $0.offset >= 4 + size }
    #expect(!remains.contains { !$0.isReplaced })
    #expect(
      remains.map(\.key)
        == ["filler", "removed", "replaced", "replaced"] + [String](repeating: "filler", count: 8))
  }

  @Test func aTimeFollowsEachValueThatExpires() throws {
    let state = try state("expiring")
    #expect(state.expires)
    let records = try read(StoreFile.bytes("mmkv/expiring"), state).records
    let contents = records.map { MMKVRecord.content(of: $0.value ?? [], expires: true) }
    guard case .data(let text)? = contents.first, case .numbers(let numbers)? = contents.last else {
      return #expect(Bool(false), "\(contents)")
    }
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("mmkv-13-") && numbers.count == 1)
  }

  @Test func aCutStoreIsReadAsFarAsItGoes() throws {
    let bytes = try Array(StoreFile.bytes("mmkv/settings").prefix(300))
    let (records, skipped) = try read(bytes, state("settings"))
    #expect(records.count == 11)
    #expect(skipped.map(\.reason) == ["The store is cut off."])
    #expect(try StoreFile.type(bytes) == .unknown)
  }

  @Test func aStoreBehindOtherBytesIsFound() throws {
    let bytes = try [UInt8](repeating: 0xAB, count: 100) + StoreFile.bytes("mmkv/settings")
    #expect(try StoreFile.type(bytes) == .mmkv)
    let (records, skipped) = try read(bytes)
    #expect(records.count == 12)
    #expect(skipped.map(\.reason) == ["The store is behind 100 other bytes."])
  }

  @Test func anEncryptedStoreIsRecognisedByItsChecksum() throws {
    for name in ["secret", "short", "wide"] {
      let bytes = try StoreFile.bytes("mmkv/\(name)")
      let state = try state(name)
      #expect(!MMKVStore.isStore(ByteSource(bytes), state))
      #expect(try MMKVStore.isEncrypted(ByteSource(bytes), state))
      var changed = bytes
      changed[20] ^= 1
      #expect(try !MMKVStore.isEncrypted(ByteSource(changed), state))
      #expect(throws: FormatError.self) { try read(bytes, state) }
    }
    let plain = try ByteSource(StoreFile.bytes("mmkv/settings"))
    #expect(try !MMKVStore.isEncrypted(plain, state("settings")))
  }

  @Test func valuesAreInterpreted() {
    func content(_ bytes: [UInt8]) -> String { "\(MMKVRecord.content(of: bytes, expires: false))" }
    #expect(content([1]) == #"numbers(["1"])"#)
    #expect(content([0x95, 0xA5, 0x94, 0xEF, 0x1C]) == #"numbers(["7749309077"])"#)
    #expect(content([0, 0, 0, 0, 0, 0, 0xF8, 0x3F]).contains(#""1.5""#))
    #expect(content([0xFF, 0xFE, 0xFF]) == "data(ArraySlice([255, 254, 255]))")
    #expect(content([6, 2, 0x61, 0x62, 2, 0x63, 0x64]).hasPrefix("list([ArraySlice([97, 98])"))
  }

  @Test func othersAreNoStores() throws {
    var random = SeededNumbers(seed: 3)
    for size in [100, 4096, 8192, 9000] {
      for head in [[], [0, 0, 0, 0], [60, 0, 0, 0]] as [[UInt8]] {
        let noise = head + (0..<size - head.count).map { _ in .random(in: 0...255, using: &random) }
        #expect(!MMKVStore.isStore(ByteSource(noise)))
      }
    }
    // In a text, each letter is a size, and others follow.
    let letters = [UInt8](repeating: 0, count: 4) + (0..<8188).map { 0x30 + UInt8($0 % 40) }
    #expect(!MMKVStore.isStore(ByteSource(letters)))
    // A few texts after their sizes are in many formats.
    let texts: [UInt8] = [0, 0, 0, 0, 9, 4] + Array("name".utf8) + [5] + Array("value".utf8)
    #expect(!MMKVStore.isStore(ByteSource(texts)))
  }

  @Test(arguments: ["settings", "rewritten"]) func brokenFilesAreSurvived(_ name: String) throws {
    let state = try state(name)
    Hostile.forms(of: try StoreFile.bytes("mmkv/\(name)"), changes: 300) {
      _ = try? read($0)
      _ = try? read($0, state)
      _ = try? MMKVStore.isEncrypted(ByteSource($0), state)
    }
  }
}
