import Foundation
import Testing

/// `unprotect --class` with a file of another class in place of the right one.
@Suite struct UnprotectClassTests {
  @Test func aGenuineFileOfAnotherClassIsRefused() throws {
    let run = try CommandRun.withStore()
    let mine = try run.file("mine", "mine")
    let theirs = try run.file("theirs", "theirs")
    #expect(try run("protect", "--class", "complete", "-o", "diary.protected", mine).status == 0)
    #expect(try run("protect", "--class", "none", "-o", "n", theirs).status == 0)
    #expect(
      try run("unprotect", "--class", "complete", "-o", "-", "diary.protected").text == "mine")
    try FileManager.default.removeItem(at: run.folder.appendingPathComponent("diary.protected"))
    try FileManager.default.moveItem(
      at: run.folder.appendingPathComponent("n"),
      to: run.folder.appendingPathComponent("diary.protected"))
    let refused = try run("unprotect", "--class", "complete", "diary.protected")
    #expect(refused.status == 5)
    #expect(refused.notes.contains("class none") && refused.notes.contains("class complete"))
    #expect(!run.exists("diary"))
    // Control: without the option, it opens.
    #expect(try run("unprotect", "-o", "-", "diary.protected").text == "theirs")
  }

  @Test func theClassIsSeenBeforeTheStoreIsUnlocked() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let plain = try run.file("plain", "plain")
    #expect(
      try run("protect", "--class", "complete", "--passcode-file", passcode, plain).status == 0)
    #expect(try run("unprotect", "--class", "none", "-o", "x", "plain.protected").status == 5)
    // Control: the right class is locked.
    let locked = try run(
      "unprotect", "--class", "complete", "--no-unlock", "-o", "x", "plain.protected")
    #expect(locked.status == 4)
  }

  @Test func aPassphraseAndOtherLibrariesHaveNoClass() throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "a long phrase")
    let plain = try run.file("plain", "plain")
    #expect(try run("protect", "--passphrase-file", phrase, "-o", "f", plain).status == 0)
    func unprotect(_ name: String) throws -> CommandRun.Result {
      try run(
        "unprotect", "--class", "complete", "--passphrase-file", phrase, "-o", "x", name)
    }
    #expect(try unprotect("f").status == 5)
    _ = try run.file(
      "g",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>EncryptionData</key><data>AAAA</data></dict></plist>
      """)
    let refused = try unprotect("g")
    #expect(refused.status == 5 && refused.notes.contains("another library"))
    #expect(!run.exists("x"))
    // Control: the passphrase is right.
    #expect(
      try run("unprotect", "--passphrase-file", phrase, "-o", "-", "f").text == "plain")
    #expect(
      try run("unprotect", "--class", "none", "--salt", "s", "--iv", "i", "-o", "x", "f").status
        == 2)
  }
}
