import AtRestFormats
import Foundation
import Testing

/// Files that LevelDB 1.23 wrote: 300 notes in a table that Snappy packs, then changes in a log.
@Suite struct LevelDBTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../AtRestContainersTests/Fixtures/Tools/clean")
    return [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  private func table(
    _ bytes: [UInt8], limit: Int = 1 << 20
  ) throws -> (records: [LevelDBRecord], skipped: [Skip]) {
    var records: [LevelDBRecord] = []
    let skipped = try LevelDBTable.read(ByteSource(bytes), limit: limit, path: "a") {
      records.append($0)
    }
    return (records, skipped)
  }

  private func log(
    _ bytes: [UInt8]
  ) throws -> (records: [LevelDBRecord], skipped: [Skip]) {
    var records: [LevelDBRecord] = []
    let skipped = try LevelDBLog.read(ByteSource(bytes), path: "a") { records.append($0) }
    return (records, skipped)
  }

  private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

  @Test func eachRecordOfATableIsRead() throws {
    let bytes = try Self.bytes("leveldb.ldb")
    let (records, skipped) = try table(bytes)
    #expect(skipped.isEmpty)
    #expect(records.count == 300)
    #expect(records.map { text($0.key) } == (0..<300).map { String(format: "notes/%04d", $0) })
    #expect(text(records[7].value).contains("window 7"))
    #expect(records.allSatisfy { !$0.isReplaced && $0.offset < bytes.count })
    #expect(try FileType.read(ByteSource(bytes)) == .levelDBTable)
  }

  @Test func eachChangeInALogIsRead() throws {
    let bytes = try Self.bytes("leveldb.log")
    let (records, skipped) = try log(bytes)
    #expect(skipped.isEmpty)
    #expect(records.count == 5)
    #expect(records.map(\.isReplaced) == [true, false, false, false, false])
    #expect(text(records[1].value) == "\u{1}a page without it")
    #expect(records[3].value == nil)
    #expect(text(records[3].key) == "notes/0003")
    // The value continues in the next block of 32 KiB.
    #expect(records[4].value.map { $0.count > 1 << 15 } == true)
    #expect(text(records[4].value).hasSuffix("-end"))
    #expect(try FileType.read(ByteSource(bytes)) == .levelDBLog)
  }

  @Test func aDamagedBlockIsSkippedAndReported() throws {
    var bytes = try Self.bytes("leveldb.ldb")
    bytes[100] ^= 1
    let (records, skipped) = try table(bytes)
    #expect(records.count < 300 && !records.isEmpty)
    #expect(skipped.count == 1)
    var changes = try Self.bytes("leveldb.log")
    changes[20] ^= 1
    #expect(try log(changes).skipped.count == 1)
    // A log whose first record is damaged is not recognised by its bytes alone.
    #expect(try FileType.read(ByteSource(changes)) == .unknown)
  }

  /// The index of a table is at its end.
  @Test func aTableWithoutItsEndIsReadByItsBlocks() throws {
    let bytes = try Self.bytes("leveldb.ldb")
    let whole = try table(bytes).records
    let cut = Array(bytes.dropLast(20))
    #expect(try FileType.read(ByteSource(cut)) == .levelDBTable)
    let (records, skipped) = try table(cut)
    #expect(records.map(\.key) == whole.map(\.key))
    #expect(records.map(\.value) == whole.map(\.value))
    #expect(skipped.count == 1)
    // Blocks that are not complete are unpacked as far as they go.
    var counts: [Int] = []
    for length in stride(from: bytes.count / 4, to: bytes.count, by: 300) {
      let found = try table(Array(bytes.prefix(length))).records
      #expect(found.map(\.value) == whole.prefix(found.count).map(\.value))
      counts.append(found.count)
    }
    #expect(counts == counts.sorted() && Set(counts).count > counts.count / 2)
    var damaged = bytes
    damaged[bytes.count - 60] ^= 1
    #expect(try table(damaged).records.count == 300)
  }

  @Test func aTableBehindOtherBytesIsRead() throws {
    let bytes = try Self.bytes("leveldb.ldb")
    let (records, skipped) = try table([1, 2, 3] + bytes)
    #expect(records.count == 300)
    #expect(skipped.map(\.reason) == ["The table is behind 3 other bytes."])
    let (rest, missing) = try table(Array(bytes.dropFirst(100)))
    #expect((1..<300).contains(rest.count))
    #expect(missing.first?.reason == "The first 100 bytes of the table are missing.")
  }

  @Test func aLogWithoutItsBeginningIsReadFromTheFirstRecord() throws {
    let bytes = try Self.bytes("leveldb.log")
    let whole = try log(bytes).records
    for length in [1, 20, whole[1].offset + 3] {
      let cut = ByteSource(Array(bytes.dropFirst(length)))
      let start = try #require(LevelDBLog.firstRecord(cut))
      var records: [LevelDBRecord] = []
      let skipped = try LevelDBLog.read(cut, path: "a", from: start) { records.append($0) }
      #expect(!records.isEmpty)
      #expect(records.map(\.value) == whole.suffix(records.count).map(\.value))
      #expect(skipped.count == 1)
    }
    #expect(LevelDBLog.firstRecord(ByteSource(try Self.bytes("leveldb.ldb"))) == nil)
  }

  @Test func whatIsUnpackedIsBounded() throws {
    let bytes = try Self.bytes("leveldb.ldb")
    #expect(throws: FormatError.self) { try table(bytes, limit: 10_000) }
    #expect(throws: FormatError.self) { try table(Array(bytes.dropLast()), limit: 10_000) }
  }

  @Test func brokenFilesAreSurvived() throws {
    Hostile.forms(of: try Self.bytes("leveldb.ldb"), changes: 700) { _ = try? table($0) }
    Hostile.forms(of: try Self.bytes("leveldb.log"), changes: 200) { bytes in
      _ = try? log(bytes)
      let source = ByteSource(bytes)
      guard let start = LevelDBLog.firstRecord(source) else { return }
      _ = try? LevelDBLog.read(source, path: "a", from: start) { _ in }
    }
    let cut = try Self.bytes("leveldb.ldb").dropLast(20)
    Hostile.forms(of: Array(cut), changes: 700) { _ = try? table($0) }
  }

  @Test func snappyCopiesAndLiterals() {
    func unpack(_ bytes: [UInt8]) -> String? {
      Snappy.unpack(bytes[...], limit: 100).map { String(decoding: $0, as: UTF8.self) }
    }
    // A literal of three bytes, then copies with one, two and four bytes of distance.
    #expect(unpack([3, 8, 0x61, 0x62, 0x63]) == "abc")
    #expect(unpack([7, 8, 0x61, 0x62, 0x63, 1, 3]) == "abcabca")
    #expect(unpack([8, 8, 0x61, 0x62, 0x63, 18, 1, 0]) == "abcccccc")
    #expect(unpack([5, 8, 0x61, 0x62, 0x63, 7, 3, 0, 0, 0]) == "abcab")
    // A copy from before the start, one beyond the end, and a wrong size.
    #expect(unpack([7, 8, 0x61, 0x62, 0x63, 1, 4]) == nil)
    #expect(unpack([6, 8, 0x61, 0x62, 0x63, 1, 3]) == nil)
    #expect(unpack([4, 8, 0x61, 0x62, 0x63]) == nil)
    #expect(unpack([0xFF, 0xFF, 0xFF, 0x7F, 0]) == nil)
  }
}
