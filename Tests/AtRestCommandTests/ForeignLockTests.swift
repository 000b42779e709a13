import Foundation
import Testing

/// A file that only has the name of a lock beside a database is not removed.
struct ForeignLockTests {
  @Test(arguments: ["mine", ""]) func aFileWithContentsIsKept(contents: String) throws {
    let run = try CommandRun()
    let phrase = try run.file("phrase", "wren under 7 kettles\n")
    let database = run.folder.appendingPathComponent("app.db").path
    func shell(_ words: String...) throws -> Int32 {
      try run.run(["database", "shell", "--passphrase-file", phrase] + words, input: nil).status
    }
    #expect(try shell("--new", database, "CREATE TABLE t(a)") == 0)
    _ = try run.file("app.db.atrest-lock", contents)
    #expect(try shell(database, "SELECT * FROM t") == 0)
    // Control: an empty one is the lock of a process that was killed.
    #expect(run.exists("app.db.atrest-lock") == !contents.isEmpty)
  }
}
