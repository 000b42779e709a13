@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Logins to servers on this machine, with keys of the keychain and of `ssh-add`.
@Suite(.enabled(if: SSHServer.isInstalled, "needs sshd, and root"))
struct SSHLoginTests {
  @Test func theAgentOpensTheServer() throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    try ssh.run.grant("ssh")
    let key = try ssh.publicKeyFile("a-p256")
    let server = try SSHServer(ssh, keys: [key])
    #expect(try server.run("echo in", key: key).text == "in\n")
    // The log names the host, whose key signed the session.
    let entries: [AgentLogEntry] = try ssh.run.connect().document(.log(count: 1))
    let host = try ssh("ssh-keygen", "-l", "-f", server.hostKey).text.split(separator: " ")
    #expect(entries[0].subject.hasSuffix(" for \(host[1])"), "\(entries[0].subject)")
    // Control: while locked, the server refuses the login.
    try ssh.run.connect().send(.lock)
    #expect(try server.run("echo in", key: key).status == 255)
    #expect(try ssh.lastEntry() == "ssh-sign locked")
  }

  /// A key is used for programs of another host only if it is in the group for that.
  @Test func onlyForwardableKeysAreForwarded() throws {
    let ssh = try SSHRun(forwardable: "e-p256")
    try ssh.run.unlock()
    try ssh.run.grant("ssh", "ssh.forwardable")
    let local = try ssh.publicKeyFile("a-p256")
    let forwardable = try ssh.publicKeyFile("e-p256")
    let server = try SSHServer(ssh, keys: [local])
    func sign(_ key: String) throws -> Int32 {
      // A file of its own, so the program on the other side has only the agent.
      let command = "echo x | ssh-keygen -Y sign -n file -f '\(key)'"
      return try server.run(command, key: local, options: ["-A"]).status
    }
    let list = try server.run("ssh-add -L", key: local, options: ["-A"]).text
    #expect(list.split(separator: "\n").map { $0.hasSuffix(" e-p256") } == [true], "\(list)")
    #expect(try sign(forwardable) == 0)
    #expect(try ssh.lastEntry() == "ssh-sign done")
    #expect(try sign(local) != 0)
    // Control: without forwarding, it signs.
    #expect(try ssh.signs(local))
  }

  /// The destinations of `ssh-add -h` mean the same in this agent and in OpenSSH's.
  @Test func destinationsAreKept() throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    try ssh.run.grant("ssh", mayWrite: true)
    let peer = try OpenSSHAgent(ssh)
    let file = ssh.path("id")
    _ = try ssh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file)
    let first = try SSHServer(ssh, name: "first", keys: [file + ".pub"])
    let second = try SSHServer(ssh, name: "second", keys: [file + ".pub"])
    var hosts = ""
    for (name, server) in [("first", first), ("second", second)] {
      hosts += name + " " + (try String(contentsOfFile: server.hostKey, encoding: .utf8))
    }
    try Data(hosts.utf8).write(to: URL(fileURLWithPath: ssh.path("hosts")))
    // The programs have only the public half, and the agents.
    let key = ssh.path("public")
    try FileManager.default.copyItem(atPath: file + ".pub", toPath: key)

    /// Adds the key for some ways, and returns what works then.
    func results(_ ways: [String], agent: String) throws -> [Bool] {
      let added = try ssh.run.execute(
        "/usr/bin/ssh-add",
        ["-q", "-H", ssh.path("hosts")] + ways.flatMap { ["-h", $0] } + [file],
        with: ["SSH_AUTH_SOCK": agent])
      try #require(added.status == 0, "\(added.text)")
      let onward = second.words(key).map { "'\($0)'" }.joined(separator: " ") + " echo in"
      let list = "ssh-add -L"
      return [
        try first.run("echo in", key: key, agent: agent).text == "in\n",
        try second.run("echo in", key: key, agent: agent).text == "in\n",
        try first.run(onward, key: key, options: ["-A"], agent: agent).text == "in\n",
        try first.run(list, key: key, options: ["-A"], agent: agent).text.hasPrefix("ssh-ed25519"),
        try ssh.signs(file + ".pub", by: agent),
      ]
    }
    let expected: [([String], [Bool])] = [
      ([], [true, true, false, false, true]),
      (["first"], [true, false, false, false, false]),
      (["second"], [false, true, false, false, false]),
      (["other@first", "root@second"], [false, true, false, false, false]),
      (["first", "first>second"], [true, false, true, true, false]),
      (["r?ot@first", "first>other@second"], [true, false, false, true, false]),
    ]
    for (ways, expected) in expected {
      #expect(try results(ways, agent: ssh.run.sshSocket) == expected, "\(ways)")
      // OpenSSH's agent forwards keys without destinations.
      let theirs = ways.isEmpty ? [true, true, true, true, true] : expected
      #expect(try results(ways, agent: peer.socket) == theirs, "\(ways), OpenSSH's")
    }
  }
}
