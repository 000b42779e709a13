import Foundation
import Testing

@Suite struct PasscodeTests {
  @Test func lockedWrongAndRight() throws {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "let me in\n")
    let wrong = try run.file("wrong", "let me out\n")
    #expect(try run("init", "--passcode-file", passcode).status == 0)
    #expect(
      try run("add", "--service", "s", "--account", "a", "--passcode-file", passcode, input: "x")
        .status == 0)
    #expect(
      try run(
        "add", "--service", "open", "--account", "a", "--accessible", "always", "--no-unlock",
        input: "y"
      ).status == 0)
    #expect(try run("get", "--service", "s", "--account", "a", "--no-unlock").status == 4)
    // There is no terminal for the passcode.
    #expect(try run("get", "--service", "s", "--account", "a").status == 4)
    #expect(try run("get", "--service", "open", "--account", "a", "--no-unlock").text == "y")
    let refused = try run("get", "--service", "s", "--account", "a", "--passcode-file", wrong)
    #expect(refused.status == 5)
    #expect(!refused.notes.contains("let me"))
    let status = try run("status", "--json").json
    #expect(status["hasPasscode"] as? Bool == true)
    #expect(status["failedAttempts"] as? Int == 1)
    #expect(status["lockState"] as? String == "before-first-unlock")
    let got = try run(
      "get", "--service", "s", "--account", "a", "--passcode-file", "-", input: "let me in\n")
    #expect(got.text == "x")
    #expect(try run("delete", "--service", "s", "--account", "a", "--group", "atrest").status == 0)
  }

  @Test func aShortOneIsRefusedUnlessItIsAskedFor() throws {
    let run = try CommandRun()
    let short = try run.file("short", "12345\n")
    let long = try run.file("long", "a longer one\n")
    let refused = try run("init", "--passcode-file", short)
    #expect(refused.status == 2 && refused.notes.contains("--weak-passcode"))
    #expect(try run("status").status == 3, "No store is made.")
    #expect(try run("init", "--passcode-file", short, "--weak-passcode").status == 0)
    #expect(try run("status").text.contains("The passcode has fewer than 6 characters"))
    let change = ["passcode", "change", "--passcode-file", long, "--new-passcode-file", short]
    #expect(
      try run(
        "passcode", "change", "--passcode-file", short, "--new-passcode-file", long
      ).status == 0)
    #expect(try !run("status").text.contains("The passcode has fewer"))
    #expect(try run.run(change, input: nil).status == 2)
    #expect(try run("status", "--json").json["failedAttempts"] as? Int == 0)
    #expect(try run.run(change + ["--weak-passcode"], input: nil).status == 0)
    #expect(try run("passcode", "remove", "--passcode-file", short).status == 0)
    #expect(try run("passcode", "set", "--passcode-file", short).status == 2)
    #expect(try run("passcode", "set", "--passcode-file", short, "--weak-passcode").status == 0)
  }

  @Test func anOlderKeybagIsRefusedWithTheRemedy() throws {
    let run = try CommandRun.withStore()
    let passcode = try run.file("passcode", "one two three")
    let keybag = run.folder.appendingPathComponent("store/keybag")
    let old = try Data(contentsOf: keybag)
    #expect(try run("passcode", "set", "--passcode-file", passcode).status == 0)
    let present = try Data(contentsOf: keybag)
    try old.write(to: keybag)
    let refused = try run("status")
    #expect(refused.status == 6 && refused.notes.contains("before the last change"))
    #expect(refused.notes.contains("restore a backup"))
    #expect(try run("restore", "--accept-older").status == 6)
    #expect(try run("get", "--service", "s", "--account", "a", "--no-unlock").status == 6)
    // Control: the current keybag opens.
    try present.write(to: keybag)
    #expect(try run("status").status == 0)
  }

  @Test func setAndRemove() throws {
    let run = try CommandRun.withStore()
    let passcode = try run.file("passcode", "one two")
    _ = try run("add", "--service", "s", "--account", "a", input: "x")
    #expect(try run("passcode", "remove").status == 5)
    #expect(try run("passcode", "set", "--passcode-file", passcode).status == 0)
    #expect(try run("passcode", "set", "--passcode-file", passcode).status == 1)
    #expect(try run("passcode", "remove", "--passcode-file", passcode).status == 0)
    #expect(try run("get", "--service", "s", "--account", "a").text == "x")
  }
}
