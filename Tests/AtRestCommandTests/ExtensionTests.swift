import Foundation
import Testing

/// A program that is not AtRest's loads the extension and opens an encrypted database: Python's `sqlite3`.
@Suite(.enabled(if: SystemPython.path != nil)) struct ExtensionTests {
  /// Opens the database that the URI in its second argument names, runs SQL, and prints the rows.
  private static let program = """
    import sqlite3, sys
    loader = sqlite3.connect(":memory:")
    loader.enable_load_extension(True)
    loader.load_extension(sys.argv[1])
    connection = sqlite3.connect(sys.argv[2], uri=True)
    for row in connection.execute(sys.argv[3]):
        print(*row)
    connection.commit()
    """

  @Test(arguments: ["sqlcipher4", "sqlcipher3"])
  func pythonReadsAndWritesADatabase(format: String) throws {
    let run = try CommandRun()
    let key = try run.file("key", String(repeating: "0f", count: 32))
    let other = try run.file("other", String(repeating: "e1", count: 32))
    let file = run.folder.appendingPathComponent("notes.db").path
    func shell(_ sql: String, _ new: String...) throws -> CommandRun.Result {
      try run.run(
        ["database", "shell", "--format", format, "--raw-key-file", key, file, sql] + new,
        input: nil)
    }
    func python(_ sql: String, key: String) throws -> CommandRun.Result {
      try run.execute(
        try #require(SystemPython.path),
        [
          "-c", Self.program, try CommandRun.binary("libatrest_vfs.so").path,
          "file:\(file)?vfs=atrest&format=\(format)&raw-key-file=\(key)", sql,
        ])
    }
    #expect(try shell("CREATE TABLE t AS SELECT 'walrus' AS a", "--new").status == 0)
    #expect(try python("SELECT a FROM t", key: key).text == "walrus\n")
    #expect(try python("INSERT INTO t VALUES ('otter')", key: key).status == 0)
    #expect(try shell("SELECT a FROM t").text == "walrus\notter\n")
    // Control: another key, and the file without the VFS.
    let refused = try python("SELECT a FROM t", key: other)
    #expect(refused.status != 0)
    #expect(refused.text.isEmpty)
    let plain = try run.execute(
      try #require(SystemPython.path),
      [
        "-c", Self.program, try CommandRun.binary("libatrest_vfs.so").path, "file:\(file)",
        "SELECT a FROM t",
      ])
    #expect(plain.notes.contains("file is not a database"))
  }

  /// A connection for reading makes no file.
  @Test func aNewDatabaseForReadingIsRefused() throws {
    let run = try CommandRun()
    let key = try run.file("key", String(repeating: "0f", count: 32))
    let file = run.folder.appendingPathComponent("notes.db").path
    func python(_ mode: String) throws -> CommandRun.Result {
      try run.execute(
        try #require(SystemPython.path),
        [
          "-c", Self.program, try CommandRun.binary("libatrest_vfs.so").path,
          "file:\(file)?vfs=atrest&raw-key-file=\(key)&new=1&mode=\(mode)",
          "SELECT count(*) FROM sqlite_schema",
        ])
    }
    #expect(try python("ro").status != 0)
    #expect(!run.exists("notes.db"))
    #expect(try python("rw").text == "0\n")
  }
}
