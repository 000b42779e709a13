import AtRestFormats
import Foundation
import Testing

@Suite struct SQLiteFileTests {
  @Test func rowsAreThoseThatSQLiteReads() throws {
    let fixture = try SQLiteFixture("generated.zip")
    let expected = try fixture.expected()
    #expect(expected.count == fixture.databases.count)
    for (name, tables) in expected {
      let file = try fixture.open(name)
      #expect(file.skipped == [], "\(name)")
      #expect(Set(file.tables.filter { $0.rootPage != nil }.map(\.name)) == Set(tables.keys))
      for (table, content) in tables {
        #expect(file.table(table)?.columns.map(\.name) == content.columns, "\(name) \(table)")
        let (rows, skipped) = try file.rows(table)
        #expect(skipped == [])
        var (found, wanted) = (rows.map { $0.map(\.spelled) }, content.rows)
        if file.table(table)?.isWithoutRowID == true {
          found.sort { $0.lexicographicallyPrecedes($1) }
          wanted.sort { $0.lexicographicallyPrecedes($1) }
        }
        #expect(found.count == wanted.count, "\(name) \(table)")
        for (row, other) in zip(found, wanted) where row != other {
          Issue.record("\(name) \(table): \("\(row) is not \(other)".prefix(2000))")
          break
        }
      }
    }
  }

  @Test func everyPageSizeAndEncodingIsAmongTheDatabases() throws {
    let fixture = try SQLiteFixture("generated.zip")
    let files = try fixture.databases.map { try fixture.open($0) }
    #expect(Set(files.map(\.pageSize)).isSuperset(of: (9...16).map { 1 << $0 }))
    #expect(Set(files.map(\.encoding)) == [.utf8, .utf16LittleEndian, .utf16BigEndian])
  }

  @Test func rowsThatLieInTheLogAloneAreRead() throws {
    let file = try SQLiteFixture("real.zip").open("user_model_database.sqlite")
    let golden = try #require(try SQLiteFixture.json("user-model.json")?["data"] as? [[Any]])
    let table = try #require(file.table("usermodeldurablerecords"))
    func column(_ name: String) throws -> Int {
      try #require(table.columns.firstIndex { $0.name == name })
    }
    let places = try ["creation_date", "last_update_date", "key", "value"].map(column)
    let (rows, skipped) = try file.rows(table.name)
    let found = rows.map { row in
      places.map { place in
        // The expected rows have whole seconds.
        if case .real(let seconds) = row[place] { return "\(Int(seconds))" }
        if case .integer(let number) = row[place] { return "\(number)" }
        return row[place].string ?? ""
      }
    }
    #expect(skipped == [])
    #expect(found == golden.map { $0.dropLast().map { "\($0)" } })
  }

  @Test func responsesOfACacheAreRead() throws {
    let file = try SQLiteFixture("real.zip").open("Cache.db")
    let golden = try #require(try SQLiteFixture.json("cache.json")?["data"] as? [[[Any]]])
    let (rows, skipped) = try file.rows("cfurl_cache_receiver_data")
    #expect(skipped == [])
    #expect(rows.count == 39)
    for account in golden.flatMap(\.self) {
      let place = try #require(account.last as? String)
      let row = try #require(rows.first { place.contains("(entry_ID: \($0[0].digits))") })
      guard case .blob(let body) = row[2] else {
        Issue.record("Row \(row[0]) has no body.")
        continue
      }
      let json = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      let user = try #require(json?["user"] as? [String: Any] ?? json)
      let found = ["phoneNumber", "countryCode", "carrierName", "totalNumberBurners", "id"].map {
        user[$0].map { "\($0)" }
      }
      #expect(found == account[2..<7].map { "\($0)" })
    }
  }

  @Test func anEmptyDatabaseMayHaveItAllInItsLog() throws {
    let fixture = try SQLiteFixture("real.zip")
    let wal = ByteSource(try #require(try fixture.bytes("user_model_database.sqlite-wal")))
    let file = try SQLiteFile(ByteSource([]), wal: wal)
    #expect(try file.rows("usermodeldurablerecords").rows.count == 4)
  }

  @Test func allTablesAreReadInOnePass() throws {
    let fixture = try SQLiteFixture("generated.zip")
    let wanted = try #require(try fixture.expected()["plain-512-UTF-8.db"])
    var found: [String: Int] = [:]
    let skipped = try fixture.open("plain-512-UTF-8.db").forEachRow { table, _ in
      found[table.name, default: 0] += 1
    }
    #expect(skipped == [])
    #expect(found == wanted.mapValues(\.rows.count))
  }

  @Test func aVirtualTableLiesInOrdinaryOnes() throws {
    let file = try SQLiteFixture("generated.zip").open("searched.db")
    let table = try #require(file.table("notes"))
    #expect(table.rootPage == nil)
    #expect(file.forEachRow(of: table) { _ in Issue.record("The table has a row.") } == [])
    #expect(try file.rows("notes_content").rows.first?.last?.string == "The PIN is 4711")
  }

  @Test func anErrorOfTheVisitorEndsThePass() throws {
    struct Enough: Error, Equatable {}
    let file = try SQLiteFixture("generated.zip").open("deleted.db")
    let table = try #require(file.table("messages"))
    var count = 0
    #expect(throws: Enough()) {
      _ = try file.forEachRow(of: table) { (_) throws(Enough) in
        count += 1
        if count == 3 { throw Enough() }
      }
    }
    #expect(count == 3)
  }

  @Test func whatBeginsOtherwiseIsNoDatabase() {
    #expect(throws: FormatError("This is not a SQLite database.", offset: 0)) {
      try SQLiteFile(ByteSource(Array(repeating: 0xA7, count: 4096)))
    }
    #expect(throws: FormatError("The database is empty.", offset: 0)) {
      try SQLiteFile(ByteSource([]))
    }
    #expect(SQLiteFile.isSQLite(Array("SQLite format 3\0 and more".utf8)))
    #expect(!SQLiteFile.isSQLite(Array("SQLite format 2\0".utf8)))
  }
}

extension SQLiteValue {
  fileprivate var digits: String {
    if case .integer(let number) = self { "\(number)" } else { "" }
  }
}
