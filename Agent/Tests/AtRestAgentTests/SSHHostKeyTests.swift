import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// A host that chooses its host key does not get keys that are not forwardable: with each kind and size
/// of key that the installed OpenSSH accepts.
@Suite(.enabled(if: SSHServer.isInstalled, "needs sshd, and root"), .serialized)
struct SSHHostKeyTests {
  static let kinds = [
    "ed25519", "ecdsa 256", "ecdsa 384", "ecdsa 521", "rsa 1024", "rsa 1536", "rsa 2048",
    "rsa 3072", "rsa 4096", "ed25519 certificate", "rsa certificate", "ecdsa certificate",
  ]

  @Test(arguments: kinds) func onlyForwardableKeysAreForwarded(_ kind: String) throws {
    let ssh = try SSHRun([("a-p256", .p256)], forwardable: "e-p256")
    try ssh.run.unlock()
    try ssh.run.grant("ssh", "ssh.forwardable")
    let local = try ssh.publicKeyFile("a-p256")
    let forwardable = try ssh.publicKeyFile("e-p256")
    let server = try SSHServer(ssh, keys: [local], hostKey: kind)
    func sign(_ key: String) throws -> Int32 {
      let command = "echo x | ssh-keygen -Y sign -n file -f '\(key)'"
      return try server.run(command, key: local, options: ["-A"]).status
    }
    // The login itself uses the key, which also shows that the agent could check the host's.
    let list = try server.run("ssh-add -L", key: local, options: ["-A"])
    try #require(list.status == 0, "\(list.text)")
    #expect(list.text.split(separator: "\n").map { $0.hasSuffix(" e-p256") } == [true], "\(list)")
    #expect(try sign(local) != 0)
    // The log names the host for which a key was used.
    let entries: [AgentLogEntry] = try ssh.run.connect().document(.log(count: 10))
    let login = entries.last { $0.operation == "ssh-sign" && $0.answer == "done" }
    #expect(login?.subject.contains(" for SHA256:") == true, "\(entries)")
    // Controls: a key that is forwardable, and the same key on this machine.
    #expect(try sign(forwardable) == 0)
    #expect(try ssh.signs(local))
  }
}
