import Foundation
import Testing

/// The view of an attacker who has a backup file, or can put another one in its place.
@Suite struct TakenBackupTests {
  private let run: CommandRun
  private let phrase: String
  private let backup: String

  init() throws {
    run = try CommandRun.withStore()
    phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    backup = run.folder.appendingPathComponent("b").path
    for (account, accessible) in [
      ("account-that-moves", "when-unlocked"),
      ("account-that-stays", "when-unlocked-this-device-only"),
    ] {
      #expect(
        try run(
          "add", "--service", "service-of-both", "--account", account, "--accessible", accessible,
          input: "secret of \(account)"
        ).status == 0)
    }
    #expect(try run("backup", backup, "--passphrase-file", phrase).status == 0)
  }

  @Test func withoutThePassphraseItShowsNothing() throws {
    let stored = try Data(contentsOf: URL(fileURLWithPath: backup))
    for word in ["secret of", "account-that", "service-of-both", "when-unlocked"] {
      #expect(stored.range(of: Data(word.utf8)) == nil, "\(word)")
    }
    let other = try CommandRun.withStore()
    let wrong = try other.file("wrong", "wren under 8 copper kettles\n")
    let refused = try other("restore", backup, "--passphrase-file", wrong)
    #expect(refused.status == 5)
    #expect(!refused.notes.contains("account-that"))
    #expect(try other("list").text == "")
  }

  @Test func withThePassphraseBoundItemsShowTheirNamesAlone() throws {
    let other = try CommandRun.withStore()
    let restored = try other("restore", backup, "--passphrase-file", phrase)
    #expect(restored.status == 0)
    #expect(restored.notes.contains("account-that-stays"))
    #expect(!restored.notes.contains("secret of"))
    func get(_ account: String) throws -> CommandRun.Result {
      try other("get", "--service", "service-of-both", "--account", account)
    }
    #expect(try get("account-that-stays").status == 3)
    for part in ["store", "device"] {
      for name in try other.names(part) {
        let stored = other.contents("\(part)/\(name)")
        #expect(stored?.range(of: Data("secret of".utf8)) == nil, "\(name)")
      }
    }
    // Control: the other item is read.
    #expect(try get("account-that-moves").text == "secret of account-that-moves")
  }

  @Test func anOlderBackupInPlaceOfANewerOneIsRestored() throws {
    try run.replace("older", by: "b")
    _ = try run.file("secret", "a newer secret")
    #expect(
      try run(
        "update", "--service", "service-of-both", "--account", "account-that-moves",
        "--secret-file", "secret"
      ).status == 0)
    #expect(try run("backup", "newer", "--passphrase-file", phrase).status == 0)
    for (name, text) in [("newer", "a newer secret"), ("older", "secret of account-that-moves")] {
      let other = try CommandRun.withStore()
      #expect(
        try other("restore", run.folder.path + "/\(name)", "--passphrase-file", phrase).status == 0)
      #expect(
        try other("get", "--service", "service-of-both", "--account", "account-that-moves").text
          == text)
    }
    // Control: a part of one in the other is refused.
    var mixed = try #require(run.contents("newer"))
    mixed.replaceSubrange(
      mixed.count - 40..<mixed.count, with: try #require(run.contents("older")).suffix(40))
    try mixed.write(to: run.folder.appendingPathComponent("mixed"))
    let other = try CommandRun.withStore()
    let refused = try other(
      "restore", run.folder.path + "/mixed", "--passphrase-file", phrase)
    #expect(refused.status == 6)
    #expect(try other("list").text == "")
  }
}
