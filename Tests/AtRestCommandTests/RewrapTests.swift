import Testing

@Suite struct RewrapTests {
  @Test func fromOneWayToTheNext() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let old = try run.file("old", "an old phrase")
    let new = try run.file("new", "a new phrase")
    let key = try run.file(
      "key.pub",
      run("keygen", "--tag", "me", "--algorithm", "x25519", "--passcode-file", passcode)
        .text)
    _ = try run.file("plain", "plain")
    #expect(try run("protect", "--class", "none", "-o", "f", "plain").status == 0)

    // The old key is that of the class until the new one is a passphrase, and so on.
    #expect(try run("rewrap", "--class", "complete", "--no-unlock", "f").status == 4)
    #expect(
      try run("rewrap", "--class", "complete", "--passcode-file", passcode, "f").status == 0)
    #expect(try run("unprotect", "-o", "x", "--no-unlock", "f").status == 4)
    #expect(
      try run("rewrap", "--new-passphrase-file", old, "--passcode-file", passcode, "f").status
        == 0)
    let changed = try run(
      "rewrap", "--passphrase-file", old, "--new-passphrase-file", new, "f")
    #expect(changed.status == 0)
    #expect(try run("unprotect", "-o", "x", "--passphrase-file", old, "f").status == 5)
    #expect(try run("unprotect", "-o", "-", "--passphrase-file", new, "f").text == "plain")
    #expect(try run("rewrap", "--passphrase-file", new, "--recipient", key, "f").status == 0)
    let opened = try run(
      "unprotect", "-o", "-", "--key-tag", "me", "--passcode-file", passcode, "f")
    #expect(opened.text == "plain")
    #expect(!run.exists("x"))
  }

  @Test func aFileThatDoesNotOpenIsAsItWas() throws {
    let run = try CommandRun.withStore()
    let right = try run.file("right", "a right phrase")
    let wrong = try run.file("wrong", "a wrong phrase")
    #expect(try run("protect", "--passphrase-file", right, run.file("plain", "plain")).status == 0)
    let before = run.contents("plain.protected")
    let refused = try run("rewrap", "--class", "none", "--passphrase-file", wrong, ".")
    #expect(refused.status == 5)
    #expect(run.contents("plain.protected") == before)
    #expect(try run("rewrap", "--class", "none", "--passphrase-file", right, ".").status == 0)
    #expect(run.contents("plain.protected") != before)
  }
}
