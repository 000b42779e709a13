import AtRestFormats
import Foundation
import Testing

@Suite struct SQLiteRemnantTests {
  /// Returns the numbers of the messages with a state that occur in these bytes.
  private func messages(_ state: String, in pieces: [ArraySlice<UInt8>]) -> Set<Int> {
    var result: Set<Int> = []
    for piece in pieces {
      let text = String(decoding: piece, as: UTF8.self)
      for part in text.components(separatedBy: "\(state) message number ").dropFirst() {
        if let number = Int(part.prefix { $0.isNumber }) { result.insert(number) }
      }
    }
    return result
  }

  @Test func deletedRowsAreAmongTheBytes() throws {
    let fixture = try SQLiteFixture("generated.zip")
    let remnants = try fixture.open("deleted.db").remnants()
    // Some rows were overwritten after they were deleted.
    let left = messages("GONE", in: [try #require(try fixture.bytes("deleted.db"))[...]])
    #expect(left.count > 90)
    #expect(messages("GONE", in: remnants.map(\.bytes)) == left)
    #expect(Set(remnants.map(\.origin)).isSuperset(of: [.freeSpace, .freePage]))
  }

  @Test func deletedRowsReadAsRows() throws {
    let fixture = try SQLiteFixture("generated.zip")
    let records = try fixture.open("deleted.db").remnants().flatMap(\.records)
    let left = messages("GONE", in: [try #require(try fixture.bytes("deleted.db"))[...]])
    let found = messages(
      "GONE", in: records.filter { $0.tables == ["messages"] }.compactMap { $0.values[1].bytes })
    #expect(found.count >= left.count * 4 / 5)
    let wrong = records.filter { record in
      guard let body = record.values[1].bytes, case .real(let sent) = record.values[2],
        let number = messages("GONE", in: [body]).union(messages("kept", in: [body])).first
      else { return false }
      return sent != Double(number) / 7 || record.rowID.map { $0 != number } ?? false
    }
    // A row that was partly overwritten can still look complete.
    #expect(wrong.count <= 1)
    // Rows in free blocks have lost their keys.
    #expect(records.contains { $0.rowID == nil && $0.tables == ["messages"] })
  }

  @Test func placesAreThoseOfTheBytes() throws {
    let fixture = try SQLiteFixture("generated.zip")
    for name in fixture.databases {
      for remnant in try fixture.open(name).remnants() {
        let suffix =
          switch remnant.file {
          case .database: ""
          case .writeAheadLog: "-wal"
          case .journal: "-journal"
          }
        let bytes = try #require(try fixture.bytes(name + suffix))
        let end = remnant.offset + remnant.bytes.count
        #expect(bytes[remnant.offset..<end].elementsEqual(remnant.bytes))
        for record in remnant.records { #expect((remnant.offset..<end).contains(record.offset)) }
      }
    }
  }

  @Test func olderStatesOfTheLogAreSearched() throws {
    let remnants = try SQLiteFixture("generated.zip").open("unfinished.db").remnants()
    let older = remnants.filter { $0.origin == .olderState }
    // These rows were deleted before the log was restarted, and are in frames that it has not
    // overwritten since.
    #expect(!messages("FIRST", in: older.map(\.bytes)).isEmpty)
    #expect(messages("THIRD", in: older.map(\.bytes)).contains(2003))
    let open = remnants.filter { $0.origin == .uncommitted }
    #expect(!messages("UNCOMMITTED", in: open.map(\.bytes)).isEmpty)
    #expect(messages("UNCOMMITTED", in: older.map(\.bytes)).isEmpty)
  }

  @Test func pagesOfAHotJournalAreSearched() throws {
    let file = try SQLiteFixture("generated.zip").open("hot.db")
    #expect(file.hasHotJournal)
    let old = file.remnants().filter { $0.file == .journal }
    let new = Set(
      try file.rows("messages").rows.compactMap { $0[1].string }.filter {
        $0.hasPrefix("NEW")
      }.compactMap { Int($0.split(separator: " ")[3]) })
    #expect(!new.isEmpty)
    #expect(messages("OLD", in: old.map(\.bytes)).isSuperset(of: new))
  }

  @Test func aJournalWhoseHeaderIsZeroIsSearched() throws {
    let file = try SQLiteFixture("generated.zip").open("persistent.db")
    #expect(!file.hasHotJournal)
    let old = file.remnants().filter { $0.file == .journal }
    #expect(messages("OLD", in: old.map(\.bytes)) == Set(1..<60))
  }

  @Test func aPageThatNothingNamesIsSearched() throws {
    var bytes = try #require(try SQLiteFixture("generated.zip").bytes("searched.db"))
    var page = Array(repeating: UInt8(0), count: 1024)
    page.replaceSubrange(500..<516, with: "nobody names me!".utf8)
    bytes += page + Array("and a cut-off page".utf8)
    let lost = try SQLiteFile(ByteSource(bytes)).remnants().filter { $0.origin == .lostPage }
    #expect(
      lost.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "\0nobody names me!\0", "and a cut-off page",
      ])
    #expect(lost.map(\.page) == [bytes.count / 1024, bytes.count / 1024 + 1])
  }

  @Test func realLogsHoldOlderStates() throws {
    let fixture = try SQLiteFixture("real.zip")
    for name in ["Cache.db", "user_model_database.sqlite"] {
      let remnants = try fixture.open(name).remnants()
      #expect(remnants.contains { $0.file == .writeAheadLog && !$0.records.isEmpty })
    }
  }
}

extension SQLiteValue {
  fileprivate var bytes: ArraySlice<UInt8>? {
    switch self {
    case .text(let bytes), .blob(let bytes): bytes
    default: nil
    }
  }
}
