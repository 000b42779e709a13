import Foundation
import Testing

/// The view of an attacker who can write to the store's folder, and has the device folder or a copy
/// of it.
@Suite struct WrittenFoldersTests {
  private func files(_ run: CommandRun) throws {
    _ = try run.file("forged", "forged")
    _ = try run.file("secret", "forged secret")
  }

  /// Runs the command as the attacker: on the store, with a copy of the device folder.
  private func attack(
    _ run: CommandRun, _ copy: CommandRun.Copy, _ arguments: String...
  ) throws -> CommandRun.Result {
    try run.run(arguments, input: nil, with: ["ATREST_DEVICE": copy.path("device")])
  }

  @Test func withoutAPasscodeEverythingCanBeForged() throws {
    let run = try CommandRun.withStore()
    try files(run)
    let item = ["--service", "s", "--account", "a"]
    #expect(try run.run(["add"] + item, input: "secret").status == 0)
    let copy = try run.copied(["device"], to: "copy")
    let change = ["update"] + item + ["--secret-file", "secret"]
    // Control: without the device key nothing can be forged.
    let other = try CommandRun.withStore()
    let foreign = ["ATREST_DEVICE": other.folder.appendingPathComponent("device").path]
    #expect(try run.run(change, input: nil, with: foreign).status == 6)
    #expect(try run.run(["get"] + item, input: nil).text == "secret")
    #expect(
      try run.run(change, input: nil, with: ["ATREST_DEVICE": copy.path("device")]).status == 0)
    #expect(try attack(run, copy, "protect", "--class", "complete", "forged").status == 0)
    #expect(try run.run(["get"] + item, input: nil).text == "forged secret")
    #expect(
      try run("unprotect", "--class", "complete", "-o", "-", "forged.protected").text == "forged")
    #expect(try run("list", "--json").status == 0)
  }

  @Test func withAPasscodeWhatNeedsNoneCanBeForged() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    try files(run)
    for name in ["when-unlocked", "always"] {
      #expect(
        try run(
          "add", "--service", "s", "--account", name, "--accessible", name, "--group", "g",
          "--passcode-file", passcode, input: name
        ).status == 0)
    }
    let copy = try run.copied(["device"], to: "copy")
    func change(_ command: String, _ name: String, _ more: String...) throws -> Int32 {
      try run.run(
        [command, "--service", "s", "--account", name, "--group", "g", "--no-unlock"] + more,
        input: nil, with: ["ATREST_DEVICE": copy.path("device")]
      ).status
    }
    func get(_ name: String) throws -> CommandRun.Result {
      try run("get", "--service", "s", "--account", name, "--passcode-file", passcode)
    }
    #expect(try change("update", "always", "--secret-file", "secret") == 0)
    #expect(try get("always").text == "forged secret")
    // Control: an item of a locked class is not changed, but it can be removed.
    #expect(try change("update", "when-unlocked", "--secret-file", "secret") == 4)
    #expect(try get("when-unlocked").text == "when-unlocked")
    #expect(try change("delete", "when-unlocked") == 0)
    #expect(try get("when-unlocked").status == 3)
    // Files of two classes can be forged, and a reader that requires the class accepts them.
    for (name, status) in [
      ("none", Int32(0)), ("complete-unless-open", 0), ("complete", 4),
      ("complete-until-first-authentication", 4),
    ] {
      #expect(
        try attack(run, copy, "protect", "--class", name, "--no-unlock", "-o", name, "forged")
          .status == status, "\(name)")
      guard status == 0 else { continue }
      #expect(
        try run("unprotect", "--class", name, "--passcode-file", passcode, "-o", "-", name).text
          == "forged")
    }
  }

  @Test func bothFoldersCanBePutBackTogether() throws {
    let run = try CommandRun.withStore()
    let item = ["--service", "s", "--account", "a"]
    #expect(try run.run(["add"] + item, input: "older").status == 0)
    let copy = try run.copied(to: "older")
    try files(run)
    #expect(
      try run.run(["update"] + item + ["--secret-file", "secret"], input: nil).status == 0)
    // Control: the store's folder alone is refused as rolled back.
    try run.putBack(copy, ["store"])
    let refused = try run.run(["get"] + item, input: nil)
    #expect(refused.status == 6 && refused.data.isEmpty)
    try run.putBack(copy, ["device"])
    #expect(try run.run(["get"] + item, input: nil).text == "older")
  }

  @Test func theCountOfAttemptsCanBePutBackAlone() throws {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "let me in\n")
    let wrong = try run.file("wrong", "let me out\n")
    #expect(
      try run(
        "init", "--passcode-file", passcode, "--kdf-time", "1", "--attempt-limit", "2"
      ).status == 0)
    let device = run.folder.appendingPathComponent("device")
    func attempts() throws -> [URL] {
      try FileManager.default.contentsOfDirectory(at: device, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "attempts" }
    }
    let before = try attempts().map { ($0, try Data(contentsOf: $0)) }
    #expect(try run("list", "--passcode-file", wrong).status == 5)
    for file in try attempts() { try FileManager.default.removeItem(at: file) }
    for (file, contents) in before { try contents.write(to: file) }
    #expect(try run("list", "--passcode-file", wrong).status == 5)
    // Control: the second of two counted attempts wipes the store.
    let last = try run("list", "--passcode-file", wrong)
    #expect(last.status == 1 && last.notes.contains("was wiped"))
  }
}
