import Testing

@Suite struct ProtectRecipientTests {
  @Test(arguments: ["x25519", "p256"]) func aKeyOfTheStore(_ algorithm: String) throws {
    let run = try CommandRun.withStore()
    let other = try CommandRun.withStore()
    let plain = try run.file("plain", "plain")
    let made = try run("keygen", "--tag", "me", "--algorithm", algorithm)
    let mine = try other.file("mine.pub", made.text)
    let theirs = try other.file("theirs.pub", other("keygen", "--tag", "them").text)
    // The writer needs no store.
    let writer = try CommandRun()
    let sealed = run.folder.appendingPathComponent("sealed").path
    #expect(
      try writer("protect", "--recipient", mine, "--recipient", theirs, "-o", sealed, plain).status
        == 0)
    #expect(try run("unprotect", "-o", "-", "--key-tag", "me", "sealed").text == "plain")
    #expect(try other("unprotect", "-o", "-", "--key-tag", "them", sealed).text == "plain")
    #expect(try run("unprotect", "-o", "x", "--key-tag", "nobody", "sealed").status == 3)
    let asked = try run("unprotect", "-o", "x", "sealed")
    #expect(asked.status == 5)
    #expect(asked.notes.contains("--identity"))
  }

  @Test func keysOfOtherKindsAreRefused() throws {
    let run = try CommandRun.withStore()
    let plain = try run.file("plain", "plain")
    let key = try run.file("key.pub", run("keygen", "--tag", "t", "--algorithm", "ed25519").text)
    #expect(try run("protect", "--recipient", key, plain).status == 2)
    #expect(try run("protect", "--recipient", plain, plain).status == 2)
    #expect(!run.exists("plain.protected"))
  }
}
