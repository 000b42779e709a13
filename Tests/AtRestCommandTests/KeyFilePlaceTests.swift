import Foundation
import Testing

/// A key file that has the name of a file beside the database would be removed as one, so it is refused.
struct KeyFilePlaceTests {
  @Test(arguments: [
    "-journal", "-wal", "-shm", ".atrest-lock", ".atrest-new", ".atrest-rekey", ".atrest-new-wal",
  ])
  func itIsNoFileBesideTheDatabase(suffix: String) throws {
    let run = try CommandRun()
    let phrase = try run.file("phrase", "wren under 7 kettles\n")
    func make(_ name: String, key: String) throws -> CommandRun.Result {
      func path(_ name: String) -> String { run.folder.appendingPathComponent(name).path }
      return try run(
        "database", "shell", "--new", "--key-file", path(key), "--passphrase-file", phrase,
        path(name), "CREATE TABLE t(a)")
    }
    // Control: the same key file serves a database with another name.
    #expect(try make("first.db", key: "app.db" + suffix).status == 0)
    let key = run.contents("app.db" + suffix)
    let refused = try make("app.db", key: "app.db" + suffix)
    #expect(refused.status == 2, "\(refused)")
    #expect(refused.notes.contains("a file beside the database"), "\(refused)")
    #expect(run.contents("app.db" + suffix) == key && !run.exists("app.db"))
  }
}
