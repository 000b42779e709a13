import Foundation
import Testing

/// After a backup and the loss of everything else, a store on another machine opens what the former
/// one protected.
@Suite struct RestoredStoreTests {
  private static let classes = [
    "complete", "complete-unless-open", "complete-until-first-authentication", "none",
  ]

  /// Makes a store with files of each class, and a backup of it. Returns the folder, without the store.
  private func loss() throws -> (run: CommandRun, phrase: String, notes: String) {
    let (run, passcode) = try CommandRun.withPasscode()
    let unlock = ["--passcode-file", passcode]
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    for name in Self.classes {
      _ = try run.file(name, "of class \(name)")
      #expect(
        try run.run(["protect", "--class", name, "--remove", name] + unlock, input: nil).status == 0
      )
    }
    _ = try run.file("stamped", "readable")
    #expect(try run.run(["stamp", "stamped"] + unlock, input: nil).status == 0)
    for format in ["sqlcipher4", "sqlcipher3"] {
      let made = try run.run(
        [
          "database", "shell", "--new", "--item", format, "--format", format, "\(format).db",
          "create table t(a); insert into t values('row of \(format)')",
        ] + unlock, input: nil)
      #expect(made.status == 0, "\(made.notes)")
    }
    #expect(
      try run.run(["keygen", "--tag", "me", "--algorithm", "x25519"] + unlock, input: nil).status
        == 0)
    for (account, accessible) in [
      ("moves", "when-unlocked"), ("stays", "when-unlocked-this-device-only"),
    ] {
      #expect(
        try run.run(
          ["add", "--service", "s", "--account", account, "--accessible", accessible] + unlock,
          input: account
        ).status == 0)
    }
    let backup = try run.run(["backup", "b", "--passphrase-file", phrase] + unlock, input: nil)
    #expect(backup.status == 0, "\(backup.notes)")
    for name in ["store", "device"] {
      try FileManager.default.removeItem(at: run.folder.appendingPathComponent(name))
    }
    #expect(try run("init", "--no-passcode").status == 0)
    return (run, phrase, backup.notes)
  }

  @Test func whatTheFormerStoreProtectedOpens() throws {
    let (run, phrase, _) = try loss()
    // Control: the new store alone opens none of it.
    for name in Self.classes {
      #expect(try run("unprotect", "-o", "-", "\(name).protected").status == 5, "\(name)")
    }
    #expect(try run("check", "stamped").status == 3)
    let restored = try run("restore", "b", "--passphrase-file", phrase)
    #expect(restored.status == 0, "\(restored.notes)")
    #expect(restored.notes.contains("stays"))
    #expect(restored.notes.contains("when-unlocked-this-device-only"))
    #expect(!restored.notes.contains("moves,"))
    for name in Self.classes {
      let opened = try run("unprotect", "-o", "-", "\(name).protected")
      #expect(opened.text == "of class \(name)", "\(opened.notes)")
    }
    #expect(try run("check", "stamped").status == 0)
    #expect(try run("get", "--service", "s", "--account", "moves").text == "moves")
    #expect(try run("get", "--service", "s", "--account", "stays").status == 3)
    #expect(try run("public-key", "--tag", "me").status == 0)
    for format in ["sqlcipher4", "sqlcipher3"] {
      let rows = try run(
        "database", "shell", "--item", format, "--format", format, "\(format).db", "select a from t"
      )
      #expect(rows.text.contains("row of \(format)"), "\(rows.notes)")
    }
  }

  @Test func rewrapMovesTheFiles() throws {
    let (run, phrase, _) = try loss()
    #expect(try run("restore", "b", "--passphrase-file", phrase).status == 0)
    let before = try run("inspect", "--json", "none.protected").text
    #expect(try run("rewrap", "--class", "none", "none.protected").status == 0)
    let after = try run("inspect", "--json", "none.protected").text
    #expect(before != after)
    let identity = try #require(try run("status", "--json").json["identity"] as? String)
    #expect(after.contains(identity) && !before.contains(identity))
    #expect(try run("unprotect", "-o", "-", "none.protected").text == "of class none")
  }

  @Test func theClassesHoldAfterwards() throws {
    let (run, phrase, _) = try loss()
    #expect(try run("restore", "b", "--passphrase-file", phrase).status == 0)
    let passcode = try run.file("passcode", "let me in again\n")
    #expect(try run("passcode", "set", "--passcode-file", passcode).status == 0)
    for name in Self.classes {
      let locked = try run("unprotect", "--no-unlock", "-o", "-", "\(name).protected")
      #expect(locked.status == (name == "none" ? 0 : 4), "\(name)")
      let opened = try run(
        "unprotect", "--passcode-file", passcode, "-o", "-", "\(name).protected")
      #expect(opened.text == "of class \(name)", "\(opened.notes)")
    }
  }

  @Test func aWrongPassphraseRestoresNoKeys() throws {
    let (run, _, _) = try loss()
    let wrong = try run.file("wrong", "wren under 8 copper kettles\n")
    #expect(try run("restore", "b", "--passphrase-file", wrong).status == 5)
    #expect(try run("unprotect", "-o", "-", "none.protected").status == 5)
  }

  /// A changed byte anywhere in the backup: neither items nor keys.
  @Test func aDamagedBackupRestoresNoKeys() throws {
    let (run, phrase, _) = try loss()
    let count = try #require(run.contents("b")).count
    for offset in [-1, count / 2, 200, 900] {
      try run.copy("b", to: "damaged", flipping: offset)
      let refused = try run("restore", "damaged", "--passphrase-file", phrase)
      #expect([5, 6].contains(refused.status), "\(offset) \(refused.notes)")
      #expect(try run("unprotect", "-o", "-", "none.protected").status == 5, "\(offset)")
      #expect(try run("list").text.isEmpty)
    }
  }
}
