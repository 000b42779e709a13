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
    // There is no terminal to ask on.
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

  @Test func setAndRemove() throws {
    let run = try CommandRun.withStore()
    let passcode = try run.file("passcode", "one")
    _ = try run("add", "--service", "s", "--account", "a", input: "x")
    #expect(try run("passcode", "remove").status == 5)
    #expect(try run("passcode", "set", "--passcode-file", passcode).status == 0)
    #expect(try run("passcode", "set", "--passcode-file", passcode).status == 1)
    #expect(try run("passcode", "remove", "--passcode-file", passcode).status == 0)
    #expect(try run("get", "--service", "s", "--account", "a").text == "x")
  }
}
