import Foundation
import Testing

/// A restore never removes the key of a database.
@Suite struct RestoredDatabaseKeyTests {
  @Test(arguments: ["replace", "keep"])
  func theKeysOfBothAreKept(_ conflict: String) throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    func make(_ name: String) throws {
      let made = try run(
        "database", "shell", "--new", "--item", "atrest.database", name,
        "CREATE TABLE t AS SELECT '\(name)' AS a")
      #expect(made.status == 0, "\(made.notes)")
    }
    func read(_ name: String) throws -> String {
      try run("database", "shell", "--item", "atrest.database", name, "SELECT a FROM t").text
    }
    try make("one.db")
    #expect(try run("backup", "b", "--passphrase-file", phrase).status == 0)
    let entries = try run("database", "keys", "--item", "atrest.database").text
    let salt = String(try #require(entries.split(separator: " ").first))
    try make("two.db")
    // The item lacks the key of the backup, and the backup that of the item.
    #expect(
      try run("database", "keys", "--item", "atrest.database", "--remove", salt, "--yes").status
        == 0)
    #expect(try read("one.db") != "one.db\n")
    let restored = try run("restore", "b", "--passphrase-file", phrase, "--on-conflict", conflict)
    #expect(restored.status == 0, "\(restored.notes)")
    #expect(try read("one.db") == "one.db\n")
    #expect(try read("two.db") == "two.db\n")
  }

  @Test func anItemWithoutKeysDoesNotTakeTheirPlace() throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    let sql = "CREATE TABLE t AS SELECT 1 AS a"
    #expect(try run("database", "shell", "--new", "--item", "k", "k.db", sql).status == 0)
    let items = try #require(run("list", "--json").json["items"] as? [[String: Any]])
    let item = try #require(items.first { $0["account"] as? String == "k" })
    let other = try CommandRun.withStore()
    _ = try other(
      "add", "--service", #require(item["service"] as? String), "--account", "k", "--group",
      #require(item["group"] as? String), input: "a password")
    let backup = run.folder.appendingPathComponent("b").path
    #expect(try other("backup", backup, "--passphrase-file", phrase).status == 0)
    #expect(
      try run("restore", "b", "--passphrase-file", phrase, "--on-conflict", "replace").status == 1)
    #expect(try run("database", "shell", "--item", "k", "k.db", "SELECT a FROM t").text == "1\n")
    // Control: it can be kept.
    #expect(
      try run("restore", "b", "--passphrase-file", phrase, "--on-conflict", "keep").status == 0)
  }
}
