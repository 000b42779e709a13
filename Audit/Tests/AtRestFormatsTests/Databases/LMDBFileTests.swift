import AtRestFormats
import Foundation
import Testing

/// Databases that LMDB 0.9.36 and libmdbx wrote: see `Scripts/make-lmdb-fixtures.py`.
@Suite struct LMDBFileTests {
  private struct Contents {
    var records: [LMDBFile.Record] = []
    var remnants: [LMDBFile.Remnant] = []
    var skipped: [String] = []

    func count(_ table: String?, isDeleted: Bool = false) -> Int {
      records.count {
        $0.table.map { String(decoding: $0, as: UTF8.self) } == table && $0.isDeleted == isDeleted
          && !$0.isTable
      }
    }
  }

  private static let files = ["lmdb/data.mdb", "mdbx/default.isar"]

  private func read(_ bytes: [UInt8]) throws -> Contents {
    var contents = Contents()
    contents.skipped = try LMDBFile.read(ByteSource(bytes), path: "a") {
      contents.records.append($0)
    } remnant: {
      contents.remnants.append($0)
    }.map(\.reason)
    return contents
  }

  @Test(arguments: files) func eachRecordIsRead(_ name: String) throws {
    let bytes = try StoreFile.bytes(name)
    #expect(try StoreFile.type(bytes) == .lmdb)
    let contents = try read(bytes)
    #expect(contents.skipped.isEmpty)
    #expect(contents.count("rows") == 121)
    #expect(contents.count("notes") == 3)
    // Three values of one key in a page, and as many as take a tree.
    #expect(contents.count("tags") == 2 + 301)
    #expect(contents.count(nil) == 3)
    // One of them was dropped.
    #expect(contents.records.count { $0.isTable } == 4)
    let long = contents.records.first { $0.key == Array("long".utf8) }
    #expect(long.map { $0.value.count > 9000 } == true)
  }

  /// Where a record is said to be, its bytes are.
  @Test(arguments: files) func offsetsAreRight(_ name: String) throws {
    let bytes = try StoreFile.bytes(name)
    for record in try read(bytes).records {
      let near = bytes[record.offset..<min(bytes.count, record.offset + 700)]
      #expect(near.firstRange(of: record.key) != nil || near.firstRange(of: record.value) != nil)
    }
  }

  @Test(arguments: files) func deletedRecordsAreGivenOnce(_ name: String) throws {
    let contents = try read(StoreFile.bytes(name))
    let deleted = contents.records.filter(\.isDeleted).map { $0.key + $0.value }
    #expect(Set(deleted).count == deleted.count)
    let live = Set(contents.records.filter { !$0.isDeleted }.map { $0.key + $0.value })
    #expect(live.isDisjoint(with: deleted))
    #expect(deleted.contains { $0.starts(with: Array("long and removed".utf8)) && $0.count > 9000 })
  }

  @Test(arguments: files) func aDatabaseBehindOtherBytesIsRead(_ name: String) throws {
    let bytes = try [UInt8](repeating: 0xDE, count: 1001) + StoreFile.bytes(name)
    #expect(try StoreFile.type(bytes) == .lmdb)
    let contents = try read(bytes)
    #expect(contents.skipped == ["The database is behind 1001 other bytes."])
    #expect(contents.count("rows") == 121)
  }

  /// The roots are in several pages, so one of them may be missing.
  @Test(arguments: files) func theFirstPageMayBeMissing(_ name: String) throws {
    let bytes = try StoreFile.bytes(name)
    let contents = try read(Array(bytes.dropFirst(4096)))
    #expect(contents.skipped.first == "The first 4096 bytes of the database are missing.")
    #expect(contents.records.count > 300)
  }

  @Test(arguments: files) func aCutDatabaseIsReadAsFarAsItGoes(_ name: String) throws {
    let contents = try read(Array(StoreFile.bytes(name).prefix(60_000)))
    #expect(contents.skipped.contains { $0.hasSuffix(" is missing.") })
    #expect(contents.records.count > 50)
  }

  @Test(arguments: files) func aDamagedPageIsNamed(_ name: String) throws {
    var bytes = try StoreFile.bytes(name)
    let row = try #require(try read(bytes).records.first { $0.key == Array("row 0050b".utf8) })
    for index in row.page * 4096..<row.page * 4096 + 20 { bytes[index] = 0xFF }
    let contents = try read(bytes)
    #expect(contents.skipped == ["Page \(row.page) of the database is damaged."])
    #expect(contents.count("rows") < 121)
  }

  @Test func othersAreNoDatabases() throws {
    #expect(!LMDBFile.isDatabase(ByteSource([UInt8](repeating: 0xDE, count: 9000))))
    var bytes = try StoreFile.bytes("lmdb/data.mdb")
    // A page of 5 bytes.
    for start in [0, 4096] { bytes.replaceSubrange(start + 40..<start + 42, with: [5, 0]) }
    #expect(!LMDBFile.isDatabase(ByteSource(bytes)))
    #expect(throws: FormatError.self) { try read(bytes) }
  }

  @Test(arguments: files) func brokenFilesAreSurvived(_ name: String) throws {
    let bytes = try Array(StoreFile.bytes(name).prefix(110_000))
    Hostile.forms(of: bytes, changes: 200) { _ = try? read($0) }
  }
}
