import AtRestCredentials
import Foundation
import Testing

/// `atrest-askpass` answers questions about passwords, and no others.
struct AskpassTests {
  @Test func questionsAreRecognised() {
    let cases: [(String, AskpassPrompt?)] = [
      ("Enter passphrase for key '/home/eva/.ssh/id': ", .keyFile("/home/eva/.ssh/id")),
      ("Enter passphrase for /home/eva/.ssh/id: ", .keyFile("/home/eva/.ssh/id")),
      (
        "Password for 'https://eva%40x@example.org:8443': ",
        .password(networkProtocol: "https", host: "example.org:8443", user: "eva@x")
      ),
      ("Username for 'https://a.b': ", .username(networkProtocol: "https", host: "a.b")),
      ("eva@a.b's password: ", .password(networkProtocol: "ssh", host: "a.b", user: "eva")),
      ("[sudo] password for eva: ", .sudo(user: "eva")),
      ("Are you sure you want to continue connecting (yes/no/[fingerprint])? ", nil),
      ("Allow use of key id?", nil), ("", nil), ("Password:", nil),
    ]
    for (text, expected) in cases { #expect(AskpassPrompt(text) == expected, "\(text)") }
  }

  @Test(.enabled(if: CredentialRun.isInstalled("ssh-agent"), "OpenSSH is not installed"))
  func sshOpensAKeyFile() throws {
    let credential = try CredentialRun()
    let key = credential.run.folder.appendingPathComponent("id").path
    _ = try credential("ssh-keygen", "-q", "-t", "ed25519", "-N", "wren under 7", "-f", key)
    let values = ["SSH_ASKPASS": "atrest-askpass", "SSH_ASKPASS_REQUIRE": "force"]
    func load() throws -> CommandRun.Result {
      let script = "ssh-add -q \(key) && ssh-add -L"
      return try credential("ssh-agent", "sh", "-c", script, with: values)
    }
    // Control: without the item, the key stays closed.
    #expect(try load().status != 0)
    _ = try credential.run("add", "--service", "ssh", "--account", key, input: "wren under 7")
    let result = try load()
    #expect(result.text.hasPrefix("ssh-ed25519 "), "\(result.notes)")
  }

  @Test func gitIsAnsweredByName() throws {
    let credential = try CredentialRun()
    _ = try credential.run(
      "add", "--server", "a.b", "--account", "eva", "--protocol", "https", input: "one")
    #expect(try credential("atrest-askpass", "Username for 'https://a.b': ").text == "eva\n")
    #expect(try credential("atrest-askpass", "Password for 'https://eva@a.b': ").text == "one\n")
    #expect(try credential("atrest-askpass", "Password for 'https://adam@a.b': ").status == 3)
    #expect(try credential("atrest-askpass", "-x (yes/no)? ").status == 3)
    #expect(
      try credential("atrest-askpass", "Password for 'https://eva@a.b': ", "--no-unlock").text
        == "one\n")
    let question = ["SSH_ASKPASS_PROMPT": "confirm"]
    #expect(
      try credential("atrest-askpass", "Password for 'https://eva@a.b': ", with: question).status
        == 3)
  }
}
