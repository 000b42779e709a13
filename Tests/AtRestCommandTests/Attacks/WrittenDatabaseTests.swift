import Foundation
import Testing

/// The view of an attacker who can write to the folder of an encrypted database, and has no key.
@Suite struct WrittenDatabaseTests {
  private static let formats = ["sqlcipher4", "sqlcipher3"]

  /// A database in one format, and what it was before its rows were changed.
  private struct Target {
    let run: CommandRun
    let format: String
    let older: Data
    let newer: Data

    init(_ format: String) throws {
      let run = try CommandRun()
      _ = try run.file("key", String(repeating: "0123456789abcdef", count: 4))
      let made = try Self.sql(
        run, format, isNew: true,
        "create table t(a integer primary key, b); with recursive n(i) as (select 1 union all "
          + "select i + 1 from n where i < 40) insert into t select i, 'older' || "
          + "hex(zeroblob(300)) from n")
      try #require(made.status == 0, "\(made.notes)")
      let older = try #require(run.contents("n.db"))
      let changed = try Self.sql(run, format, "update t set b = 'newer' || substr(b, 6)")
      try #require(changed.status == 0, "\(changed.notes)")
      let newer = try #require(run.contents("n.db"))
      try #require(older.count == newer.count && newer.count > 6 * 4_096)
      self.run = run
      self.format = format
      self.older = older
      self.newer = newer
    }

    static func sql(
      _ run: CommandRun, _ format: String, isNew: Bool = false, _ text: String
    ) throws -> CommandRun.Result {
      try run.run(
        ["database", "shell", "--raw-key-file", "key", "--format", format, "n.db", text]
          + (isNew ? ["--new"] : []), input: nil)
    }

    func put(_ data: Data) throws { try data.write(to: run.folder.appendingPathComponent("n.db")) }

    func rows() throws -> CommandRun.Result {
      try Self.sql(
        run, format, "select substr(b, 1, 5), count(*), sum(length(b)) from t group by 1")
    }

    func verify() throws -> Int32 {
      try run("database", "verify", "--raw-key-file", "key", "--format", format, "n.db").status
    }

    /// Expects that the rows are read as they are. This is the control of each attack.
    func expectIntact() throws {
      try put(newer)
      let rows = try rows()
      #expect(rows.status == 0 && rows.text == "newer|40|24200\n", "\(rows.notes)")
    }
  }

  private func page(_ number: Int, of size: Int) -> Range<Int> {
    (number - 1) * size..<number * size
  }

  private func size(of format: String) -> Int { format == "sqlcipher3" ? 1024 : 4096 }

  @Test(arguments: formats) func noByteOfAPageAndNoPageIsExchanged(_ format: String) throws {
    let target = try Target(format)
    try target.expectIntact()
    let size = size(of: format)
    // The two pages belong to the table, so the query reads them. The padding at the end of a page of
    // version 3 is not authenticated, and not read.
    for offset in [0, 1, size / 2, size - 48] {
      var changed = target.newer
      changed[page(4, of: size).lowerBound + offset] ^= 1
      try target.put(changed)
      let refused = try target.rows()
      #expect(refused.status == 6 && refused.data.isEmpty, "byte \(offset)")
    }
    var moved = target.newer
    let (one, other) = (page(4, of: size), page(5, of: size))
    moved.replaceSubrange(one, with: target.newer[other])
    moved.replaceSubrange(other, with: target.newer[one])
    try target.put(moved)
    let refused = try target.rows()
    #expect(refused.status == 6 && refused.data.isEmpty, "moved")
    #expect(try target.verify() == 6)
    try target.expectIntact()
  }

  /// Control: without an HMAC, pages are not authenticated.
  @Test func inTheFirstFormatBytesAreExchanged() throws {
    let target = try Target("sqlcipher1")
    var changed = target.newer
    changed[page(6, of: 1024).lowerBound + 512] ^= 1
    try target.put(changed)
    let texts = "select hex(b) from t order by a"
    let altered = try Target.sql(target.run, target.format, texts)
    #expect(altered.status == 0)
    try target.put(target.newer)
    #expect(try Target.sql(target.run, target.format, texts).text != altered.text)
  }

  /// An older page is authentic.
  @Test(arguments: formats) func anOlderPageIsNotFound(_ format: String) throws {
    let target = try Target(format)
    var mixed = target.newer
    let range = page(4, of: size(of: format))
    try #require(target.older[range] != target.newer[range])
    mixed.replaceSubrange(range, with: target.older[range])
    try target.put(mixed)
    #expect(try target.verify() == 0)
    #expect(try target.rows().text.contains("older|"))
    try target.expectIntact()
  }

  /// An older copy of all files is accepted.
  @Test(arguments: formats) func allFilesCanBePutBack(_ format: String) throws {
    let run = try CommandRun()
    _ = try run.file("key", String(repeating: "0123456789abcdef", count: 4))
    func sql(_ text: String) throws -> CommandRun.Result { try Target.sql(run, format, text) }
    let made = try Target.sql(
      run, format, isNew: true, "create table t(a); insert into t values('older')")
    #expect(made.status == 0)
    let names = try run.names("").filter { $0.hasPrefix("n.db") }
    let older = names.map { ($0, run.contents($0)) }
    #expect(try sql("update t set a = 'newer'").status == 0)
    #expect(try sql("select a from t").text == "newer\n")
    for (name, data) in older { try data?.write(to: run.folder.appendingPathComponent(name)) }
    #expect(try sql("select a from t").text == "older\n")
  }

  /// A database that was emptied or removed is not taken for a new one.
  @Test(arguments: formats) func anEmptiedDatabaseIsRefused(_ format: String) throws {
    let target = try Target(format)
    try target.put(Data())
    let empty = try Target.sql(target.run, format, "select count(*) from sqlite_schema")
    #expect(empty.status == 6)
    #expect(try target.verify() == 6)
    try FileManager.default.removeItem(at: target.run.folder.appendingPathComponent("n.db"))
    #expect(try Target.sql(target.run, format, "select 1").status == 3)
    #expect(!target.run.exists("n.db"))
  }
}
