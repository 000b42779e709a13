import Foundation
import Testing

/// `atrest database` works with key files and with SQLite's shell.
struct DatabaseFormatTests {
  @Test func aKeyFileGetsANewPassphrase() throws {
    let run = try CommandRun()
    let old = try run.file("old", "wren under 7 kettles\n")
    let new = try run.file("new", "otter under 9 lids\n")
    let key = run.folder.appendingPathComponent("notes.key").path
    let file = run.folder.appendingPathComponent("notes.db").path
    func shell(_ phrase: String, _ sql: String, _ new: String...) throws -> CommandRun.Result {
      try run.run(
        ["database", "shell", "--key-file", key, "--passphrase-file", phrase, file, sql] + new,
        input: nil)
    }
    #expect(try shell(old, "CREATE TABLE t AS SELECT 7 AS a", "--new").status == 0)
    let changed = try run(
      "database", "passphrase", "--passphrase-file", old, "--new-passphrase-file", new, key)
    #expect(changed.status == 0)
    #expect(try shell(old, "SELECT a FROM t").status == 5)
    #expect(try shell(new, "SELECT a FROM t").text == "7\n")
    #expect(
      try run("database", "rekey", "--key-file", key, "--passphrase-file", new, file).status == 0)
    #expect(try shell(new, "SELECT a FROM t").text == "7\n")
  }

  private static let hasShell = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  @Test(.enabled(if: hasShell), arguments: ["sqlcipher4", "sqlcipher3"])
  func sqlitesShellOpensADatabase(format: String) throws {
    let run = try CommandRun()
    let phrase = try run.file("phrase", "wren under 7 kettles\n")
    let file = run.folder.appendingPathComponent("my notes.db").path
    let options = ["--format", format, "--passphrase-file", phrase, file]
    #expect(
      try run.run(
        ["database", "shell", "--new"] + options + ["CREATE TABLE t AS SELECT 7 AS a"], input: nil
      ).status == 0
    )
    let opened = try run.run(
      ["database", "open"] + options + ["-json", "SELECT a FROM t"], input: nil)
    #expect(opened.text == "[{\"a\":7}]\n")
    // An option keeps its value.
    let separated = try run.run(
      ["database", "open"] + options + ["-separator", ",", "SELECT a, 8 FROM t"], input: nil)
    #expect(separated.text == "7,8\n")
    let wrong = try run.file("wrong", "another\n")
    let refused = try run.run(
      [
        "database", "open", "--format", format, "--passphrase-file", wrong, file,
      ], input: nil)
    #expect(refused.status == 5)
  }
}
