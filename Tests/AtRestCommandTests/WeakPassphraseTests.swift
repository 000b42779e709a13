import Testing

/// Passphrases that are easy to guess are refused or warned about, and never printed.
@Suite struct WeakPassphraseTests {
  @Test(arguments: ["1234", "x", "Sophie14071989", "to be or not to be"])
  func protectRefuses(_ passphrase: String) throws {
    let run = try CommandRun()
    let file = try run.file("phrase", passphrase + "\n")
    let plain = try run.file("plain", "plain")
    let refused = try run("protect", "--passphrase-file", file, plain)
    #expect(refused.status == 2 && refused.notes.contains("--accept-weak-passphrase"))
    #expect(!refused.notes.contains(passphrase) && !run.exists("plain.protected"))
    let made = try run("protect", "--accept-weak-passphrase", "--passphrase-file", file, plain)
    #expect(made.status == 0 && made.notes.contains("warning: "))
    // A passphrase that exists is not judged.
    let opened = try run("unprotect", "-o", "-", "--passphrase-file", file, "plain.protected")
    #expect(opened.text == "plain" && opened.notes == "")
  }

  /// Control: nothing is said of a strong passphrase, and only a warning of one between.
  @Test func strongOnesPass() throws {
    let run = try CommandRun()
    let strong = try run.file("strong", "four purple rhinos cooking")
    let between = try run.file("between", "rhinos 4711")
    let plain = try run.file("plain", "plain")
    let made = try run("protect", "-o", "a", "--passphrase-file", strong, plain)
    #expect(made.status == 0 && !made.notes.contains("warning"))
    let warned = try run("protect", "-o", "b", "--passphrase-file", between, plain)
    #expect(warned.status == 0 && warned.notes.contains("warning"))
  }

  @Test(arguments: ["1234", "rhinos 4711"]) func backupRefuses(_ passphrase: String) throws {
    let run = try CommandRun.withStore()
    let file = try run.file("phrase", passphrase)
    let refused = try run("backup", "b", "--passphrase-file", file)
    #expect(refused.status == 2 && refused.notes.contains("--accept-weak-passphrase"))
    #expect(!run.exists("b") && !refused.notes.contains(passphrase))
    let made = try run("backup", "b", "--accept-weak-passphrase", "--passphrase-file", file)
    #expect(made.status == 0 && made.notes.contains("warning: "))
    #expect(try run("restore", "b", "--on-conflict", "keep", "--passphrase-file", file).status == 0)
  }

  @Test func initWarnsOfAPasscodeThatIsTriedFirst() throws {
    func notes(_ passcode: String, _ options: String...) throws -> String {
      let run = try CommandRun()
      let made = try run.run(
        ["init", "--passcode-file", run.file("p", passcode)] + options, input: nil)
      #expect(made.status == 0)
      return made.notes
    }
    #expect(try notes("123456").contains("common"))
    #expect(try notes("x", "--weak-passcode").contains("fewer than 6"))
    #expect(try notes("1234", "--weak-passcode").contains("fewer than 6"))
    // Control: six other digits are enough where the device counts attempts.
    #expect(try !notes("839201", "--attempt-limit", "10").contains("common"))
  }

  @Test func initSaysThatATargetCannotBeMet() throws {
    let run = try CommandRun()
    let passcode = try run.file("p", "a passcode of eva")
    let made = try run("init", "--kdf-time", "1", "--passcode-file", passcode)
    #expect(made.status == 0 && made.notes.contains("The target of 1 ms cannot be met"))
  }
}
