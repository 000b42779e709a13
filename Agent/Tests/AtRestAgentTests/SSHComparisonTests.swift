@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The same calls of OpenSSH's programs have the same results with this agent and with OpenSSH's.
@Suite(.enabled(if: AgentRun.isInstalled("ssh-agent"), "OpenSSH is not installed"))
struct SSHComparisonTests {
  /// Returns the results of calls for a key file, one per line.
  private func results(_ ssh: SSHRun, _ file: String, agent: String) throws -> [String] {
    var results: [String] = []
    func call(_ words: String...) throws {
      let result = try ssh.run.execute(
        "/usr/bin/env", words,
        with: ["SSH_AUTH_SOCK": agent, "HOME": ssh.run.folder.path, "SSH_ASKPASS": "/bin/false"])
      results.append(
        "\(words.dropFirst().joined(separator: " ")): \(result.status) \(result.text)")
    }
    func sign(_ name: String) throws {
      results.append("sign \(name): \(try ssh.signs(name, by: agent))")
    }
    try call("ssh-add", file)
    try call("ssh-add", "-L")
    try call("ssh-add", "-l")
    try sign(file + ".pub")
    try sign(file + "-cert.pub")
    // Again, for a time, and for a time that has passed.
    try call("ssh-add", "-t", "3600", file)
    try sign(file + ".pub")
    try call("ssh-add", "-d", file)
    try call("ssh-add", "-d", file)
    try call("ssh-add", "-L")
    try sign(file + ".pub")
    // Nobody confirms.
    try call("ssh-add", "-c", file)
    try sign(file + ".pub")
    try call("ssh-add", "-D")
    try call("ssh-add", "-s", "/no/such/library.so")
    try call("ssh-add", "-L")
    return results
  }

  @Test(arguments: ["ed25519", "ecdsa", "rsa"]) func resultsAreTheSame(_ type: String) throws {
    let ssh = try SSHRun([])
    try ssh.run.unlock()
    try ssh.run.grant("ssh", mayWrite: true)
    let peer = try OpenSSHAgent(ssh)
    let file = ssh.path("id")
    _ = try ssh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ssh.path("authority"))
    _ = try ssh("ssh-keygen", "-q", "-t", type, "-N", "", "-C", "added", "-f", file)
    let certified = try ssh(
      "ssh-keygen", "-q", "-s", ssh.path("authority"), "-I", "eva", "-n", "eva", file + ".pub")
    try #require(certified.status == 0, "\(certified.text)")
    let ours = try results(ssh, file, agent: ssh.run.sshSocket)
    let theirs = try results(ssh, file, agent: peer.socket)
    for (ours, theirs) in zip(ours, theirs) { #expect(ours == theirs) }
    // Controls: the results are not all the same.
    #expect(ours.contains("sign \(file).pub: true") && ours.contains("sign \(file).pub: false"))
    #expect(ours.contains("sign \(file)-cert.pub: true"))
  }

  /// `ssh-add -x` locks the store, and `-X` unlocks it with its passcode. Keys stay listed.
  @Test func theLockIsTheStores() throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    try ssh.run.grant("ssh")
    let key = try ssh.publicKeyFile("c-ed25519")
    let list = try ssh("ssh-add", "-L").text
    #expect(try ssh.signs(key))
    func lock(_ option: String, _ passphrase: String) throws -> Int32 {
      try Script.write(
        "#!/bin/sh\necho '\(passphrase)'\n", to: ssh.path("passphrase"), permissions: 0o700)
      return try ssh.run.execute(
        "/usr/bin/ssh-add", [option],
        with: [
          "SSH_AUTH_SOCK": ssh.run.sshSocket, "SSH_ASKPASS": ssh.path("passphrase"),
          "SSH_ASKPASS_REQUIRE": "force",
        ]
      ).status
    }
    #expect(try lock("-x", "anything") == 0)
    #expect(!ssh.run.service.isUnlocked)
    #expect(try ssh("ssh-add", "-L").text == list)
    #expect(try !ssh.signs(key))
    #expect(try ssh.lastEntry() == "ssh-sign locked")
    #expect(try lock("-X", "anything") != 0)
    #expect(try ssh.lastEntry() == "unlock authentication-failed")
    #expect(try lock("-X", AgentRun.passcode) == 0)
    #expect(try ssh.signs(key))
  }

  /// The log says what the protocol cannot.
  @Test func whatIsNotCarriedOutIsRecorded() throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    try ssh.run.grant("ssh", mayWrite: true)
    #expect(try ssh("ssh-add", "-s", "/no/such/library.so").status != 0)
    let entries: [AgentLogEntry] = try ssh.run.connect().document(.log(count: 1))
    #expect(entries.map(\.operation) == ["ssh-other"])
    #expect(entries.map(\.answer) == ["invalid-argument"])
    #expect(entries.map(\.subject) == ["the type 26"] || entries.map(\.subject) == ["the type 20"])
  }
}
