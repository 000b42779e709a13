import Foundation
import Testing

/// Messages have the names that a user of the command knows: no calls of Swift, and no names of files that exist
/// for a moment only.
@Suite struct ShownNameTests {
  /// A call or a type of Swift: `changePasscode(from:)`, `EncryptedDatabase.create`.
  private nonisolated(unsafe) static let swift = /\w\(\w*:|\w\(\)|[a-z][A-Z]\w*\.[a-z]/

  private func run() throws -> CommandRun {
    let run = try CommandRun.withStore()
    _ = try run.file("phrase", "wren under 7 kettles\n")
    _ = try run.file("empty.db", "")
    let key = ["database", "shell", "--new", "--passphrase-file", "phrase", "a.db"]
    #expect(try run.run(key + ["CREATE TABLE t(a)"], input: nil).status == 0)
    #expect(
      try run("database", "export", "--passphrase-file", "phrase", "a.db", "plain.db").status == 0)
    return run
  }

  @Test(arguments: [
    ["shell", "none.db", "SELECT 1"], ["shell", "plain.db", "SELECT 1"],
    ["shell", "a.db", "PRAGMA rekey='x'"], ["shell", "a.db", "PRAGMA kdf_iter=5"],
    ["import", "empty.db", "b.db"],
  ])
  func noMessageNamesACallOfSwift(words: [String]) throws {
    let refused = try run().run(
      ["database", words[0], "--passphrase-file", "phrase"] + words.dropFirst(), input: nil)
    #expect(refused.status != 0 && !refused.notes.isEmpty)
    #expect(!refused.notes.contains(Self.swift), "\(refused.notes)")
  }

  @Test(arguments: [
    "database import --passphrase-file phrase plain.db none/b.db",
    "database export --passphrase-file phrase a.db none/b.db",
    "database shell --new --passphrase-file phrase none/b.db SELECT",
    "protect --class none -o none/b.db plain.db",
  ])
  func noMessageNamesATemporaryFile(command: String) throws {
    let refused = try run().run(command.split(separator: " ").map(String.init), input: nil)
    #expect(refused.status != 0 && refused.notes.contains("none"), "\(refused.notes)")
    for part in [".atrest-", ".new"] {
      #expect(!refused.notes.contains(part), "\(refused.notes)")
    }
  }
}
