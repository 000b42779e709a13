import Foundation
import Testing

/// The key of a database is destroyed only after a question, and a rekey that leaves a key names it.
struct DatabaseKeyRemovalTests {
  private let run = try! CommandRun()
  private let key: [String]

  init() throws {
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    key = [
      "--key-file", run.folder.appendingPathComponent("app.key").path, "--passphrase-file", phrase,
    ]
    #expect(try database("shell", "--new", "app.db", "CREATE TABLE t AS SELECT 7 AS a").status == 0)
  }

  private func database(_ verb: String, _ rest: String...) throws -> CommandRun.Result {
    try run.run(["database", verb] + key + rest, input: nil)
  }

  private func value(_ name: String) throws -> String {
    try database("shell", name, "SELECT a FROM t").text
  }

  @Test func aRemovalNeedsConsent() throws {
    let salt = String(try #require(database("keys").text.split(separator: " ").first))
    let refused = try database("keys", "--remove", salt)
    #expect(refused.status == 2, "\(refused.notes)")
    #expect(try value("app.db") == "7\n")
    // A salt that is not listed destroys nothing, and is no question.
    #expect(try database("keys", "--remove", String(repeating: "0", count: 32)).status == 3)
    // Control.
    #expect(try database("keys", "--remove", salt, "--yes").status == 0)
    #expect(try database("shell", "app.db", "SELECT a FROM t").status == 5)
  }

  @Test func aRekeyOfACopyNamesTheKeyThatStays() throws {
    try FileManager.default.copyItem(
      at: run.folder.appendingPathComponent("app.db"),
      to: run.folder.appendingPathComponent("test.db"))
    let salt = String(try #require(database("keys").text.split(separator: " ").first))
    let done = try database("rekey", "test.db")
    #expect(done.status == 0)
    #expect(done.notes.contains("atrest database keys --remove \(salt)"), "\(done.notes)")
    #expect(try value("app.db") == "7\n")
    #expect(try value("test.db") == "7\n")
    // Control: the original is where it got its key.
    #expect(try !database("rekey", "app.db").notes.contains("--remove"))
    #expect(try value("app.db") == "7\n")
  }

  #if os(Linux)
    /// A file on which another one is mounted cannot be replaced, and then both keys stay.
    @Test(.enabled(if: TimeNamespaceTests.mount != nil, "no mount namespaces"))
    func aRemovalAfterAnUnfinishedRekeySaysSo() throws {
      let script = "mount --bind app.db app.db && exec \"$0\" \"$@\""
      let rekey = try run.execute(
        "/usr/bin/unshare",
        try #require(TimeNamespaceTests.mount) + ["sh", "-c", script, CommandRun.binary().path]
          + ["database", "rekey"] + key + ["app.db"])
      #expect(rekey.status == 1)
      let lines = try database("keys").text.split(separator: "\n")
      let unfinished = try #require(lines.first { $0.hasSuffix("(its rekey is not finished)") })
      #expect(lines.count == 2)
      let salt = String(unfinished.prefix(32))
      let refused = try database("keys", "--remove", salt)
      #expect(refused.status == 2)
      #expect(refused.notes.contains("a rekey with this key was not finished"), "\(refused.notes)")
      // Control: an opening finishes it.
      #expect(try value("app.db") == "7\n")
      let present = String(try #require(database("keys").text.split(separator: " ").first))
      #expect(try !database("keys", "--remove", present).notes.contains("not finished"))
      #expect(try database("keys").text.split(separator: "\n").count == 1)
    }
  #endif

  /// Root's new file would belong to root, and the user of the database would be locked out.
  @Test(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
  func aRekeyThatCannotKeepTheOwnerIsRefused() throws {
    let file = run.folder.appendingPathComponent("app.db").path
    #expect(chown(file, 65_534, 65_534) == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    func rekey(_ capabilities: String) throws -> CommandRun.Result {
      try run.execute(
        "/usr/bin/setpriv",
        ["--bounding-set", capabilities, try CommandRun.binary().path, "database", "rekey"] + key
          + [file])
    }
    let refused = try rekey("-chown")
    #expect(refused.status == 5, "\(refused.notes)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    #expect(try !run.names("").contains { $0.contains(".atrest-") })
    // Control: with the capability, the owner stays.
    #expect(try rekey("+chown").status == 0)
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_uid == 65_534)
  }
}
