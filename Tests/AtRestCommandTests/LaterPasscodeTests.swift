import Foundation
import Testing

/// A backup from before a first passcode does not open what was protected after it, and the commands say so.
@Suite struct LaterPasscodeTests {
  @Test(arguments: ["none", "complete-unless-open"])
  func theCauseIsNamed(_ name: String) throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    let passcode = try run.file("passcode", "one two three\n")
    _ = try run.file("a", "before")
    _ = try run.file("b", "after")
    #expect(try run("protect", "--class", name, "a").status == 0)
    let early = run.folder.appendingPathComponent("early").path
    let late = run.folder.appendingPathComponent("late").path
    #expect(try run("backup", early, "--passphrase-file", phrase).status == 0)
    let set = try run("passcode", "set", "--passcode-file", passcode, "--kdf-time", "1")
    #expect(set.notes.contains("Make a new backup"), "\(set.notes)")
    #expect(try run("protect", "--class", name, "b").status == 0)
    #expect(
      try run("backup", late, "--passphrase-file", phrase, "--passcode-file", passcode).status == 0)

    let other = try CommandRun.withStore()
    let restored = try other("restore", early, "--passphrase-file", phrase)
    #expect(restored.status == 0 && restored.notes.contains("needs a later backup"))
    func open(_ file: String) throws -> CommandRun.Result {
      try other("unprotect", "-o", "-", run.folder.appendingPathComponent(file).path)
    }
    #expect(try open("a.protected").text == "before")
    let refused = try open("b.protected")
    #expect(refused.status == 6 && refused.notes.contains("after the backup"), "\(refused.notes)")
    // Control: a later backup opens it.
    #expect(
      try other("restore", late, "--passphrase-file", phrase, "--on-conflict", "keep").status == 0)
    #expect(try open("b.protected").text == "after")
  }
}
