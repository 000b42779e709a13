import Foundation
import Testing

/// A database's new passphrase is judged as a file's is.
@Suite struct WeakDatabasePassphraseTests {
  private static let strong = "four purple rhinos cooking"

  /// A database in plaintext, and files with a weak and a strong passphrase.
  private func made() throws -> (run: CommandRun, weak: String, strong: String) {
    let run = try CommandRun()
    let strong = try run.file("strong", Self.strong + "\n")
    #expect(
      try run(
        "database", "shell", "--new", "--passphrase-file", strong, "a.db", "CREATE TABLE t(a)"
      )
      .status
        == 0)
    #expect(
      try run("database", "export", "--passphrase-file", strong, "a.db", "plain.db").status == 0)
    return (run, try run.file("weak", "1234\n"), strong)
  }

  private func check(_ run: CommandRun, _ arguments: [String], makes file: String?) throws {
    let refused = try run.run(["database"] + arguments, input: nil)
    #expect(refused.status == 2 && refused.notes.contains("--accept-weak-passphrase"))
    #expect(!refused.notes.contains("1234"))
    if let file { #expect(!run.exists(file)) }
    let made = try run.run(
      ["database", arguments[0], "--accept-weak-passphrase"] + arguments.dropFirst(), input: nil)
    #expect(made.status == 0 && made.notes.contains("warning: "))
  }

  @Test func importAndShellRefuse() throws {
    let (run, weak, _) = try made()
    try check(run, ["import", "--passphrase-file", weak, "plain.db", "b.db"], makes: "b.db")
    try check(
      run, ["shell", "--new", "--passphrase-file", weak, "c.db", "CREATE TABLE t(a)"], makes: "c.db"
    )
    try check(
      run, ["import", "--passphrase-file", weak, "--key-file", "k", "plain.db", "d.db"],
      makes: "k")
    // A passphrase that exists is not judged.
    let read = try run("database", "shell", "--passphrase-file", weak, "b.db", "SELECT 1")
    #expect(read.status == 0 && read.notes == "")
  }

  @Test func rekeyAndPassphraseRefuse() throws {
    let (run, weak, strong) = try made()
    try check(
      run, ["rekey", "--passphrase-file", strong, "--new-passphrase-file", weak, "a.db"],
      makes: nil)
    #expect(
      try run(
        "database", "import", "--passphrase-file", strong, "--key-file", "k", "plain.db", "e.db"
      ).status == 0)
    try check(
      run, ["passphrase", "--passphrase-file", strong, "--new-passphrase-file", weak, "k"],
      makes: nil)
  }

  /// Control: nothing is said of a strong one.
  @Test func strongOnesPass() throws {
    let (run, _, strong) = try made()
    let made = try run("database", "import", "--passphrase-file", strong, "plain.db", "b.db")
    #expect(made.status == 0 && !made.notes.contains("warning"))
  }
}
