import AtRestCrypto
import AtRestLegacy
import Foundation
import Testing

@Suite struct LegacyFileTests {
  private func run() throws -> (run: CommandRun, phrase: String, wrong: String) {
    let run = try CommandRun()
    return (run, try run.file("phrase", "thepassword\n"), try run.file("wrong", "another\n"))
  }

  @Test func rnCryptor() throws {
    let (run, phrase, wrong) = try run()
    let sealed = try RNCryptorV3.encrypt(
      Data("plain".utf8), password: SecretBytes(utf8: "thepassword"))
    try sealed.write(to: run.folder.appendingPathComponent("f"))
    let opened = try run("unprotect", "-o", "x", "--passphrase-file", phrase, "f")
    #expect(opened.status == 0)
    #expect(opened.notes == "")
    #expect(run.text("x") == "plain")
    #expect(try run.mode("x") == 0o600)
    #expect(try run("unprotect", "-o", "y", "--passphrase-file", wrong, "f").status == 5)
    try run.copy("f", to: "g", flipping: 40)
    #expect(try run("unprotect", "-o", "y", "--passphrase-file", phrase, "g").status == 5)
    #expect(!run.exists("y"))
  }

  @Test func aPropertyListAndItsParts() throws {
    let (run, phrase, wrong) = try run()
    let parts = try PasswordEncryptedParts.encrypt(
      Data("plain".utf8), password: SecretBytes(utf8: "thepassword"))
    func write(_ data: Data, _ name: String) throws {
      try data.write(to: run.folder.appendingPathComponent(name))
    }
    try write(parts.propertyList(format: .xml), "xml")
    try write(parts.propertyList(format: .binary), "binary")
    try write(parts.encryptedData, "data")
    try write(parts.initializationVector, "iv")
    try write(parts.salt, "salt")
    for name in ["xml", "binary"] {
      let opened = try run("unprotect", "-o", "-", "--passphrase-file", phrase, name)
      #expect(opened.text == "plain")
      #expect(opened.notes.contains("changes to it cannot be detected"))
    }
    let opened = try run(
      "unprotect", "-o", "-", "--passphrase-file", phrase, "--iv", "iv", "--salt", "salt", "data")
    #expect(opened.text == "plain")
    #expect(opened.notes.contains("changes to it cannot be detected"))
    let mixed = try run(
      "unprotect", "-o", "x", "--passphrase-file", phrase, "--iv", "salt", "--salt", "iv", "data")
    #expect(mixed.status == 6)
    // A wrong passphrase may be accepted, once in 256 times.
    #expect(
      try run("unprotect", "-o", "-", "--passphrase-file", wrong, "xml").text != "plain")
  }

  /// A refusal names the option for apps that did not chain the blocks.
  @Test func aRefusalNamesTheOtherMode() throws {
    let (run, _, wrong) = try run()
    func refusal(_ options: String...) throws -> String {
      // Once in 256 times, a wrong passphrase is accepted.
      while true {
        let parts = try PasswordEncryptedParts.encrypt(
          Data("plain".utf8), password: SecretBytes(utf8: "thepassword"))
        try parts.propertyList(format: .xml)
          .write(to: run.folder.appendingPathComponent("list"))
        let refused = try run.run(
          ["unprotect", "-o", "-", "--passphrase-file", wrong, "list"] + options, input: nil)
        if refused.status == 5 { return refused.notes }
      }
    }
    #expect(try refusal().contains("try --ecb"))
    #expect(try refusal("--ecb").contains("omit --ecb"))
  }

  @Test func largeFilesAreRefused() throws {
    let (run, phrase, _) = try run()
    let path = try run.file("f", "\u{3}\u{1}")
    truncate(path, (1 << 30) + 4096)
    let refused = try run("unprotect", "-o", "x", "--passphrase-file", phrase, "f")
    #expect(refused.status == 2)
    #expect(refused.notes.contains("1 GiB"))
  }
}
