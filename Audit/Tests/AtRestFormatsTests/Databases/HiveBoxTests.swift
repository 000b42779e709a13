import AtRestFormats
import Foundation
import Testing

/// Boxes in the format of Hive: see `Scripts/make-hive-fixtures.py`.
@Suite struct HiveBoxTests {
  private func read(_ bytes: [UInt8]) throws -> (records: [HiveBox.Record], skipped: [String]) {
    let box = try #require(HiveBox(ByteSource(bytes)))
    var records: [HiveBox.Record] = []
    let skipped = try box.read(path: "a") { records.append($0) }
    return (records, skipped.map(\.reason))
  }

  @Test func eachChangeIsRead() throws {
    let bytes = try StoreFile.bytes("hive/settings.hive")
    #expect(try StoreFile.type(bytes) == .hive)
    let (records, skipped) = try read(bytes)
    #expect(skipped.isEmpty)
    #expect(
      records.map(\.key) == [
        "session", "theme", "session", "draft", "draft", "height", "7", "recent", "photo",
        "profile", "own", "codes",
      ])
    #expect(
      records.map(\.isReplaced) == [true, false, false, true] + [Bool](repeating: false, count: 8))
    #expect(records[4].value == nil)
    let values = records.compactMap(\.value).map { HiveValue.read($0) }
    // Only what another adapter wrote cannot be read.
    #expect(values.map { $0 == nil } == [Bool](repeating: false, count: 9) + [true, false])
    #expect(values[1]?.string == "dark")
  }

  @Test func anEncryptedBoxIsRecognisedByItsChecksums() throws {
    let bytes = try StoreFile.bytes("hive/secret.hive")
    let box = try #require(HiveBox(ByteSource(bytes)))
    #expect(box.isEncrypted && box.seed != 0)
    #expect(
      try read(bytes).records.map(\.key) == [
        "session", "session", "account", "account", "profile", "storeKey",
      ])
    let plain = try #require(HiveBox(ByteSource(try StoreFile.bytes("hive/settings.hive"))))
    #expect(!plain.isEncrypted && plain.seed == 0)
  }

  @Test func aCutBoxIsReadAsFarAsItGoes() throws {
    let (records, skipped) = try read(Array(StoreFile.bytes("hive/settings.hive").dropLast(20)))
    #expect(records.count == 12)
    #expect(skipped == ["The box is cut off."])
  }

  @Test func aBoxBehindOtherBytesIsFound() throws {
    let bytes = try [UInt8](repeating: 7, count: 33) + StoreFile.bytes("hive/settings.hive")
    #expect(try StoreFile.type(bytes) == .hive)
    let (records, skipped) = try read(bytes)
    #expect(records.count == 12)
    #expect(skipped == ["The box is behind 33 other bytes."])
  }

  @Test func aDamagedFrameIsNamedAndTheNextOneFound() throws {
    var bytes = try StoreFile.bytes("hive/settings.hive")
    let whole = try read(bytes).records
    bytes[whole[2].offset + 20] ^= 1
    let (records, skipped) = try read(bytes)
    #expect(records.map(\.offset) == whole.map(\.offset).filter { $0 != whole[2].offset })
    #expect(
      skipped == ["Bytes \(whole[2].offset) to \(whole[3].offset) of the box are damaged."])
  }

  @Test func othersAreNoBoxes() throws {
    var bytes = try StoreFile.bytes("hive/settings.hive")
    let first = try read(bytes).records[1].offset
    bytes = Array(bytes.prefix(first))
    #expect(HiveBox(ByteSource(bytes)) != nil)
    bytes[10] ^= 1
    // Without a second frame, any checksum has some beginning.
    #expect(HiveBox(ByteSource(bytes)) == nil)
    #expect(HiveBox(ByteSource([])) == nil)
  }

  @Test func valuesAreRead() {
    func read(_ bytes: [UInt8]) -> String { HiveValue.read(bytes).map { "\($0.value)" } ?? "nil" }
    let five: [UInt8] = [0, 0, 0, 0, 0, 0, 0x14, 0x40]
    #expect(read([0]) == "null")
    #expect(read([1] + five) == "integer(5)" && read([16] + five) == "integer(5)")
    #expect(read([3, 1]) == "boolean(true)")
    #expect(read([17, 2, 0x31, 0x32]) == #"string("12")"#)
    #expect(HiveValue.read([8, 2, 0, 0, 0, 1, 0])?.array?.count == 2)
    #expect(HiveValue.read([13, 1, 0, 0, 0] + five)?.array?.count == 1)
    #expect(HiveValue.read([21, 44, 1, 1, 7, 3, 0])?.entries?.map(\.key) == ["field 7"])
    #expect(HiveValue.read([12, 1, 0, 0, 0, 1, 0x62, 0, 9, 0, 0, 0])?.array?.count == 2)
    // A rest, a wrong type, a size beyond the end, and lists in lists without an end.
    #expect(read([0, 0]) == "nil" && read([22]) == "nil" && read([4, 9, 0, 0, 0, 0x61]) == "nil")
    #expect(HiveValue.read((0..<200).flatMap { _ in [10, 1, 0, 0, 0] as [UInt8] } + [0]) == nil)
  }

  @Test(arguments: ["settings", "secret"]) func brokenFilesAreSurvived(_ name: String) throws {
    Hostile.forms(of: try StoreFile.bytes("hive/\(name).hive"), changes: 500) { bytes in
      guard let box = HiveBox(ByteSource(bytes)) else { return }
      _ = try? box.read(path: "a") { record in _ = record.value.map { HiveValue.read($0) } }
    }
  }
}
