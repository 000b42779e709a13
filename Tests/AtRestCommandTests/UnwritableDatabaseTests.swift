import Foundation
import Testing

/// Databases and folders that an ordinary user may read and not write, or write and not read.
@Suite(.enabled(if: geteuid() != 0)) struct UnwritableDatabaseTests {
  private let run: CommandRun
  private let key: [String]
  private let file: String

  init() throws {
    run = try CommandRun()
    let phrase = try run.file("phrase", "wren under 7 kettles\n")
    key = [
      "--key-file", run.folder.appendingPathComponent("notes.key").path, "--passphrase-file",
      phrase,
    ]
    file = run.folder.appendingPathComponent("notes.db").path
  }

  private func database(_ verb: String, _ rest: String...) throws -> CommandRun.Result {
    try run.run(["database", verb] + key + rest, input: nil)
  }

  /// SQLite opens such a file for reading, and its lock would keep nobody from writing.
  @Test func aFileThatMayNotBeWrittenGetsNoNewKey() throws {
    #expect(try database("shell", "--new", file, "CREATE TABLE t AS SELECT 7 AS a").status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    chmod(file, 0o444)
    #expect(try database("rekey", file).status == 5)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    #expect(try database("shell", file, "SELECT a FROM t").text == "7\n")
    // Control.
    chmod(file, 0o600)
    #expect(try database("rekey", file).status == 0)
  }

  /// The shell's exit code says why SQLite did not write.
  @Test func theShellSaysWhatMayNotBeWritten() throws {
    let folder = run.folder.appendingPathComponent("box").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let box = "\(folder)/notes.db"
    let insertion = "INSERT INTO t VALUES (8)"
    #expect(try database("shell", "--new", box, "CREATE TABLE t AS SELECT 7 AS a").status == 0)
    chmod(box, 0o444)
    let ofFile = try database("shell", box, insertion)
    #expect(ofFile.status == 5)
    #expect(ofFile.notes.contains("The database \(box) may not be written"))
    chmod(box, 0o600)
    chmod(folder, 0o500)
    let ofFolder = try database("shell", box, insertion)
    chmod(folder, 0o700)
    #expect(ofFolder.status == 5)
    #expect(ofFolder.notes.contains("The folder of the database \(box)"))
    // Controls: the SQL is wrong, and all is right.
    let wrong = try database("shell", box, "INSERT INTO u VALUES (8)")
    #expect(wrong.status == 1)
    #expect(wrong.notes.contains("no such table: u"))
    #expect(try database("shell", box, insertion).status == 0)
  }

  /// The new file has its name, and then its folder cannot be flushed. It may be in use already, so its key stays.
  @Test func aDatabaseInAFolderThatCannotBeReadKeepsItsKey() throws {
    let folder = run.folder.appendingPathComponent("box").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    chmod(folder, 0o300)
    defer { chmod(folder, 0o700) }
    let box = "\(folder)/notes.db"
    #expect(try database("shell", "--new", box, "CREATE TABLE t AS SELECT 7 AS a").status != 0)
    chmod(folder, 0o700)
    #expect(FileManager.default.fileExists(atPath: box))
    #expect(try database("shell", box, "SELECT count(*) FROM sqlite_schema").status == 0)
  }
}
