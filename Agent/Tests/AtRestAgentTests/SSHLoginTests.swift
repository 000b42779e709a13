import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// A login to a server on this machine, with a key of the keychain.
@Suite(.enabled(if: AgentRun.isInstalled("sshd") && geteuid() == 0, "needs sshd, and root"))
struct SSHLoginTests {
  /// A port that is free.
  private func port() -> UInt16 { UInt16.random(in: 20_000...29_999) }

  @Test func theAgentOpensTheServer() throws {
    let ssh = try SSHRun()
    try ssh.run.unlock()
    try ssh.run.grant("ssh")
    let key = try ssh.publicKeyFile("a-p256")
    try FileManager.default.createDirectory(
      atPath: "/run/sshd", withIntermediateDirectories: true)
    _ = try ssh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ssh.path("host"))
    let port = port()
    let settings = """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(ssh.path("host"))
      PidFile none
      AuthorizedKeysFile \(key)
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      PermitRootLogin yes
      """
    try Data((settings + "\n").utf8).write(to: URL(fileURLWithPath: ssh.path("sshd_config")))
    // The server closes the descriptor by which Foundation waits for a child, and would then block
    // the wait for all others, so a shell starts it.
    let start = "/usr/sbin/sshd -D -f '\(ssh.path("sshd_config"))' >/dev/null 2>&1 & echo $!"
    let server = try #require(
      Int32(try ssh("sh", "-c", start).text.trimmingCharacters(in: .whitespacesAndNewlines)))
    defer { kill(server, SIGKILL) }
    func login() throws -> (status: Int32, text: String) {
      try ssh(
        "ssh", "-F", "none", "-p", String(port), "-o", "StrictHostKeyChecking=no", "-o",
        "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "BatchMode=yes", "-o",
        "ConnectionAttempts=20", "-i", key, "-o", "IdentitiesOnly=yes", "root@127.0.0.1", "echo",
        "in")
    }
    let open = try login()
    #expect(open.text == "in\n")
    // The log names the host, whose key signed the session.
    let entries: [AgentLogEntry] = try ssh.run.connect().document(.log(count: 1))
    let host = try ssh("ssh-keygen", "-l", "-f", ssh.path("host.pub")).text.split(separator: " ")
    #expect(entries[0].subject.hasSuffix(" for \(host[1])"), "\(entries[0].subject)")
    // Control: while locked, the server refuses the login.
    try ssh.run.connect().send(.lock)
    #expect(try login().status == 255)
    #expect(try ssh.lastEntry() == "ssh-sign locked")
  }
}
