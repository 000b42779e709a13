import Testing

@Suite struct ProtectPassphraseTests {
  @Test func noStoreIsNeeded() throws {
    let run = try CommandRun()
    let phrase = try run.file("phrase", "a long phrase\n")
    let plain = try run.file("plain", "plain")
    #expect(try run("protect", "--passphrase", "--passphrase-file", phrase, plain).status == 0)
    // The header says that a passphrase is needed.
    let asked = try run("unprotect", "-o", "x", "plain.protected")
    #expect(asked.status == 2)
    #expect(asked.notes.contains("no terminal"))
    let opened = try run(
      "unprotect", "-o", "-", "--passphrase-file", "-", "plain.protected", input: "a long phrase")
    #expect(opened.text == "plain")
    #expect(!run.exists("store/keybag"))
  }

  @Test func anEmptyPassphraseIsRefused() throws {
    let run = try CommandRun()
    let empty = try run.file("empty", "\n")
    let plain = try run.file("plain", "plain")
    #expect(try run("protect", "--passphrase-file", empty, plain).status == 2)
    #expect(try run("protect", "--passphrase", plain).status == 2)
    #expect(!run.exists("plain.protected"))
  }
}
