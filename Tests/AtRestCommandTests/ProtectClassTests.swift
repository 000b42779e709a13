import Testing

@Suite struct ProtectClassTests {
  @Test func whatIsWrittenWhileLocked() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let plain = try run.file("plain", "plain")
    for name in ["complete-unless-open", "none"] {
      #expect(try run("protect", "-o", name, "--class", name, "--no-unlock", plain).status == 0)
    }
    for name in ["complete", "complete-until-first-authentication"] {
      #expect(try run("protect", "-o", name, "--class", name, "--no-unlock", plain).status == 4)
      #expect(!run.exists(name))
    }
    #expect(try run("protect", "--no-unlock", plain).status == 4)
    // There is no terminal, and no passcode is needed.
    #expect(try run("unprotect", "-o", "-", "none").text == "plain")
    #expect(try run("unprotect", "-o", "-", "complete-unless-open").status == 4)
    let opened = try run(
      "unprotect", "-o", "-", "--passcode-file", passcode, "complete-unless-open")
    #expect(opened.text == "plain")
  }

  @Test(arguments: ["complete", "complete-until-first-authentication"])
  func whatNeedsAnUnlock(_ name: String) throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let plain = try run.file("plain", "plain")
    #expect(try run("protect", "--class", name, "--passcode-file", passcode, plain).status == 0)
    #expect(try run("unprotect", "-o", "x", "--no-unlock", "plain.protected").status == 4)
    let opened = try run(
      "unprotect", "-o", "-", "--passcode-file", "-", "plain.protected", input: "let me in\n")
    #expect(opened.text == "plain")
  }

  @Test func aWrongPasscodeIsTriedOnce() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let wrong = try run.file("wrong", "no")
    for name in ["a", "b", "c"] { _ = try run.file(name, name) }
    #expect(try run("protect", "a", "b", "c", "--passcode-file", passcode).status == 0)
    let refused = try run(
      "unprotect", "--force", "a.protected", "b.protected", "c.protected", "--passcode-file", wrong)
    #expect(refused.status == 5)
    #expect(try run("status", "--json").json["failedAttempts"] as? Int == 1)
  }
}
