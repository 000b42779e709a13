import Foundation
import Testing

/// Six reasons for which a file does not open, each with its own message and exit code.
@Suite struct ProtectRefusalTests {
  @Test func sixReasons() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let right = try run.file("right", "a right phrase\n")
    let wrong = try run.file("wrong", "a wrong phrase\n")
    let plain = try run.file("plain", "plain")
    let key = try recipient(run, "key")
    let other = try recipient(run, "other")
    #expect(try run("protect", "-o", "p", "--passphrase-file", right, plain).status == 0)
    #expect(try run("protect", "-o", "r", "--recipient", key.publicKey, plain).status == 0)
    #expect(try run("protect", "-o", "s", "--passcode-file", passcode, plain).status == 0)
    try run.copy("p", to: "damaged", flipping: -1)
    try run.copy("p", to: "newer", flipping: 8)

    let results = [
      try run("unprotect", "-o", "x", "--passphrase-file", wrong, "p"),
      try run("unprotect", "-o", "x", "--identity", other.privateKey, "r"),
      try run("unprotect", "-o", "x", "--no-unlock", "s"),
      try run("unprotect", "-o", "x", "--passphrase-file", right, "damaged"),
      try run("unprotect", "-o", "x", "plain"),
      try run("unprotect", "-o", "x", "--passphrase-file", right, "newer"),
    ]
    #expect(results.map(\.status) == [5, 5, 4, 6, 1, 6])
    let words = [
      "this passphrase", "not for the x25519 key", "requires it to be unlocked",
      "damaged in chunk 0", "not a protected file", "version 257",
    ]
    for (result, word) in zip(results, words) {
      #expect(result.notes.contains(word), "\(result.notes)")
      #expect(words.filter { result.notes.contains($0) }.count == 1)
      #expect(!result.notes.contains("right phrase") && !result.notes.contains("wrong phrase"))
    }
    #expect(!run.exists("x"))
    #expect(try !run.names("").contains { $0.hasPrefix("x.new") })

    // With the right keys, all intact files open.
    #expect(try run("unprotect", "-o", "-", "--passphrase-file", right, "p").text == "plain")
    #expect(try run("unprotect", "-o", "-", "--identity", key.privateKey, "r").text == "plain")
    #expect(try run("unprotect", "-o", "-", "--passcode-file", passcode, "s").text == "plain")
  }

  @Test func theFileOfAnotherStore() throws {
    let run = try CommandRun.withStore()
    let other = try CommandRun.withStore()
    let plain = try run.file("plain", "plain")
    #expect(try other("protect", plain).status == 0)
    let refused = try run("unprotect", "-o", "x", "plain.protected")
    #expect(refused.status == 5)
    #expect(refused.notes.contains("another store"))
    #expect(try other("unprotect", "-o", "-", "\(plain).protected").text == "plain")
  }

  @Test func anEscapeInANameIsNotObeyed() throws {
    let run = try CommandRun.withStore()
    let refused = try run("unprotect", "\u{1B}[2J.protected")
    #expect(refused.status == 3)
    #expect(!refused.notes.contains("\u{1B}"))
  }

  private func recipient(
    _ run: CommandRun, _ name: String
  ) throws -> (privateKey: String, publicKey: String) {
    let store = try CommandRun.withStore()
    let made = try store("keygen", "--tag", "t", "--algorithm", "x25519", "--extractable")
    return (
      try run.file("\(name).pem", store("get", "--tag", "t").text),
      try run.file("\(name).pub", made.text)
    )
  }
}
