import Foundation
import Testing

/// `atrest database` makes, reads, copies and checks encrypted databases.
struct DatabaseTests {
  @Test func anItemOpensWhatItMade() throws {
    let run = try CommandRun.withStore()
    let file = run.folder.appendingPathComponent("notes.db").path
    let sql = "CREATE TABLE note(a, b); INSERT INTO note VALUES (1, 'walrus'), (2, x'c0de')"
    #expect(try run("database", "shell", "--new", "--item", "notes", file, sql).status == 0)
    let read = try run("database", "shell", "--item", "notes", file, input: "SELECT * FROM note;")
    #expect(read.text == "1|walrus\n2|c0de\n")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(bytes.range(of: Data("walrus".utf8)) == nil)
    #expect(try run("database", "rekey", "--item", "notes", file).status == 0)
    #expect(try run("database", "verify", "--item", "notes", file).status == 0)
    // Control: another item has no key for the file, and the item is not made.
    #expect(try run("database", "shell", "--item", "other", file, "SELECT 1").status == 3)
    #expect(try run("database", "shell", "--item", "other", file, "SELECT 1").status == 3)
  }

  @Test func databasesAreImportedAndExported() throws {
    let run = try CommandRun()
    let phrase = try run.file("phrase", "wren under 7 kettles\n")
    let other = try run.file("other", "another phrase\n")
    let (first, plain, second) = ("first.db", "plain.db", "second.db")
    func path(_ name: String) -> String { run.folder.appendingPathComponent(name).path }
    func shell(
      _ file: String, _ sql: String, key: String, _ new: String...
    ) throws -> CommandRun.Result {
      try run.run(
        ["database", "shell", "--passphrase-file", key, path(file), sql] + new, input: nil)
    }
    #expect(
      try shell(first, "CREATE TABLE t AS SELECT 'walrus' AS a", key: phrase, "--new").status == 0)
    #expect(
      try run("database", "export", "--passphrase-file", phrase, path(first), path(plain)).status
        == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path(plain)))
    #expect(bytes.range(of: Data("walrus".utf8)) != nil)
    #expect(
      try run("database", "import", "--passphrase-file", phrase, path(plain), path(second)).status
        == 0)
    #expect(try shell(second, "SELECT a FROM t", key: phrase).text == "walrus\n")
    #expect(
      try run(
        "database", "rekey", "--passphrase-file", phrase, "--new-passphrase-file", other,
        path(second)
      ).status == 0)
    #expect(try shell(second, "SELECT a FROM t", key: other).text == "walrus\n")
    #expect(try shell(second, "SELECT a FROM t", key: phrase).status == 5)
  }

  @Test func damageIsNamed() throws {
    let run = try CommandRun()
    let key = try run.file("key", String(repeating: "0f", count: 32))
    let url = run.folder.appendingPathComponent("notes.db")
    let sql = "CREATE TABLE t(a); INSERT INTO t VALUES (zeroblob(20000))"
    #expect(try run("database", "shell", "--new", "--raw-key-file", key, url.path, sql).status == 0)
    #expect(try run("database", "verify", "--raw-key-file", key, url.path).status == 0)
    var bytes = try Data(contentsOf: url)
    bytes[3 * 4096 + 5] ^= 1
    try bytes.write(to: url)
    let verify = try run("database", "verify", "--raw-key-file", key, url.path)
    #expect(verify.status == 6)
    #expect(verify.text.contains("Page 4 is damaged."))
    #expect(
      try run("database", "shell", "--raw-key-file", key, url.path, "SELECT hex(a) FROM t").status
        == 6)
    #expect(try run("database", "verify", url.path).status == 2)
  }
}
