import Foundation
import Testing

/// A file of a class with a passphrase or a recipient opens by either.
@Suite struct SecondWayInTests {
  @Test func afterTheLossOfTheStore() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    let pair = try run.execute("/usr/bin/openssl", ["genpkey", "-algorithm", "X25519"]).text
    let identity = try run.file("pair.pem", pair)
    let recipient = try run.file(
      "pub.pem", run.execute("/usr/bin/openssl", ["pkey", "-in", identity, "-pubout"]).text)
    _ = try run.file("plain", "plain")
    let made = try run(
      "protect", "--class", "complete", "--passphrase-file", phrase, "--recipient", recipient,
      "--passcode-file", passcode, "-o", "f", "plain")
    #expect(made.status == 0, "\(made.notes)")
    let readers = try run("inspect", "--json", "f").text
    #expect(readers.contains("passphrase") && readers.contains("recipient"))

    let byStore = try run("unprotect", "--passcode-file", passcode, "-o", "-", "f")
    #expect(byStore.text == "plain", "\(byStore.notes)")
    #expect(try run("unprotect", "--no-unlock", "-o", "-", "f").status == 4)
    #expect(
      try run("unprotect", "--no-unlock", "--passphrase-file", phrase, "-o", "-", "f").text
        == "plain")
    try FileManager.default.removeItem(at: run.folder.appendingPathComponent("store"))
    #expect(try run("unprotect", "--passphrase-file", phrase, "-o", "-", "f").text == "plain")
    #expect(try run("unprotect", "--identity", identity, "-o", "-", "f").text == "plain")
    // Controls: a wrong passphrase, and a file without a second way in.
    let wrong = try run.file("wrong", "wren under 8 copper kettles\n")
    #expect(try run("unprotect", "--passphrase-file", wrong, "-o", "-", "f").status == 5)
  }

  @Test func rewrapAddsOne() throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    _ = try run.file("plain", "plain")
    #expect(try run("protect", "--class", "none", "-o", "f", "plain").status == 0)
    #expect(
      try run("rewrap", "--class", "none", "--new-passphrase-file", phrase, "f").status == 0)
    try FileManager.default.removeItem(at: run.folder.appendingPathComponent("store"))
    try FileManager.default.removeItem(at: run.folder.appendingPathComponent("device"))
    #expect(try run("unprotect", "--passphrase-file", phrase, "-o", "-", "f").text == "plain")
  }
}
