import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// OpenSSH's programs use the keys of the keychain.
@Suite(.enabled(if: AgentRun.isInstalled("ssh-add"), "OpenSSH is not installed"))
struct SSHTests {
  /// The list does not depend on the lock, so a locked key is not taken for a missing one.
  @Test func keysAreListedWhileLocked() throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    let unlocked = try ssh("ssh-add", "-L")
    let lines = unlocked.text.split(separator: "\n")
    #expect(lines.count == 4, "\(unlocked.text)")
    for (line, key) in zip(lines, SSHRun.algorithms) { #expect(line.hasSuffix(" " + key.tag)) }
    try ssh.run.connect().send(.lock)
    #expect(try ssh("ssh-add", "-L").text == unlocked.text)
    // A new agent has no keys until the first unlock, because it has nothing from which it could know
    // them for certain.
    try ssh.run.restart()
    #expect(try ssh("ssh-add", "-L").text == "The agent has no identities.\n")
    try ssh.run.unlock()
    try ssh.run.connect().send(.lock)
    #expect(try ssh("ssh-add", "-L").text == unlocked.text)
    #expect(try ssh("ssh-add", "-l").text.contains("SHA256:"))
  }

  @Test(arguments: SSHRun.algorithms.map(\.tag)) func signaturesAreValid(_ tag: String) throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    let key = try ssh.publicKeyFile(tag)
    let message = ssh.path("message")
    try Data("a message".utf8).write(to: URL(fileURLWithPath: message))
    func sign() throws -> Int32 {
      unlink(message + ".sig")
      return try ssh("ssh-keygen", "-Y", "sign", "-n", "file", "-f", key, message).status
    }
    // Without a grant, locked, and then allowed.
    #expect(try sign() != 0)
    #expect(try ssh.lastEntry() == "ssh-sign not-permitted")
    try ssh.run.grant("ssh")
    try ssh.run.connect().send(.lock)
    #expect(try sign() != 0)
    #expect(try ssh.lastEntry() == "ssh-sign locked")
    try ssh.run.unlock()
    #expect(try sign() == 0)
    #expect(try ssh.lastEntry() == "ssh-sign done")
    let signature = message + ".sig"
    func check(_ text: String) throws -> (status: Int32, text: String) {
      try ssh("ssh-keygen", "-Y", "check-novalidate", "-n", "file", "-s", signature, input: text)
    }
    let valid = try check("a message")
    #expect(valid.status == 0, "\(valid.text)")
    #expect(try check("another message").status != 0)
  }

  @Test(arguments: ["ed25519", "ecdsa", "rsa"]) func keysAreAddedForATime(_ type: String) throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    let file = ssh.path("id")
    _ = try ssh("ssh-keygen", "-q", "-t", type, "-N", "", "-C", "added", "-f", file)
    // Adding needs a grant to write.
    #expect(try ssh("ssh-add", file).status != 0)
    try ssh.run.grant("ssh", mayWrite: true)
    #expect(try ssh("ssh-add", "-t", "3600", file).status == 0)
    #expect(try ssh("ssh-add", "-L").text.contains(" added"))
    #expect(try ssh.signs(file + ".pub"))
    #expect(try ssh("ssh-add", "-d", file).status == 0)
    #expect(try !ssh.signs(file + ".pub"))
    // A lock erases such keys.
    #expect(try ssh("ssh-add", file).status == 0)
    try ssh.run.connect().send(.lock)
    #expect(try !ssh("ssh-add", "-L").text.contains(" added"))
    #expect(try ssh("ssh-add", file).status != 0)
    #expect(try ssh.lastEntry() == "ssh-add locked")
  }

  @Test func aLifetimeEnds() throws {
    let keys = SSHMemoryKeys()
    let secret = SecretBytes.random(count: 32)
    let key = try PrivateKey(rawRepresentation: secret, algorithm: .ed25519)
    let now = ContinuousClock.now
    let added = keys.add(
      .init(
        publicKey: try #require(SSHPublicKey(key.publicKey)), blob: Data([1]), comment: "",
        secret: AgentSecret(secret.duplicate()), end: now + .seconds(5), needsConfirmation: false,
        destinations: []))
    #expect(added)
    #expect(keys.all(at: now + .seconds(4)).count == 1)
    #expect(keys.all(at: now + .seconds(5)).isEmpty)
  }

  @Test(arguments: ["ed25519", "rsa"]) func aUseIsConfirmed(_ type: String) throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    try ssh.run.grant("ssh", mayWrite: true)
    let file = ssh.path("id")
    _ = try ssh("ssh-keygen", "-q", "-t", type, "-N", "", "-C", "added", "-f", file)
    #expect(try ssh("ssh-add", "-c", file).status == 0)
    #expect(try !ssh.signs(file + ".pub"))
    let asked = try String(contentsOfFile: ssh.path("confirm.asked"), encoding: .utf8)
    #expect(asked.hasPrefix("confirm Allow the use of the key \"added\" (SHA256:"))
    try Data().write(to: URL(fileURLWithPath: ssh.path("confirm.yes")))
    #expect(try ssh.signs(file + ".pub"))
  }

  @Test(.enabled(if: AgentRun.isInstalled("git"), "git is not installed"))
  func gitSignsACommit() throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    try ssh.run.grant("ssh")
    let key = try ssh.publicKeyFile("c-ed25519")
    let allowed = ssh.path("allowed")
    let line = try String(contentsOfFile: key, encoding: .utf8)
    try Data(("eva@example.org " + line).utf8).write(to: URL(fileURLWithPath: allowed))
    let repository = ssh.path("repository")
    #expect(try ssh("git", "init", "-q", repository).status == 0)
    let settings = [
      "user.name=Eva", "user.email=eva@example.org", "gpg.format=ssh", "user.signingKey=\(key)",
      "gpg.ssh.allowedSignersFile=\(allowed)",
    ].map { "-c '\($0)'" }.joined(separator: " ")
    let script = "cd '\(repository)' && git \(settings)"
    let commit = try ssh("sh", "-c", "\(script) commit -q -S --allow-empty -m one")
    #expect(commit.status == 0, "\(commit.text)")
    let verified = try ssh("sh", "-c", "\(script) verify-commit HEAD")
    #expect(verified.text.contains("Good \"git\" signature for eva@example.org"))
    try ssh.run.connect().send(.lock)
    #expect(try ssh("sh", "-c", "\(script) commit -q -S --allow-empty -m two").status != 0)
    #expect(try ssh.lastEntry() == "ssh-sign locked")
    #expect(try ssh("sh", "-c", "\(script) log -1 --format=%s").text == "one\n")
  }
}
