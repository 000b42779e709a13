import Foundation
import Testing

/// A server of OpenSSH on this machine, with a host key of its own.
final class SSHServer {
  static let isInstalled = AgentRun.isInstalled("sshd") && geteuid() == 0

  let port: UInt16
  /// The path of the public half of the host key.
  let hostKey: String
  private let ssh: SSHRun
  private let process: Int32

  /// Starts a server that lets the holders of some keys in, as root.
  ///
  /// - Parameters:
  ///   - keys: The paths of public halves.
  ///   - kind: The type of the host key, and its number of bits, or `certificate` for one that is
  ///     certified by another key.
  init(
    _ ssh: SSHRun, name: String = "host", keys: [String], hostKey kind: String = "ed25519"
  ) throws {
    self.ssh = ssh
    try FileManager.default.createDirectory(
      atPath: "/run/sshd", withIntermediateDirectories: true)
    let words = kind.split(separator: " ").map(String.init)
    let size = words.dropFirst().first.flatMap(Int.init).map { ["-b", String($0)] } ?? []
    let made = try ssh.run.execute(
      "/usr/bin/ssh-keygen", ["-q", "-t", words[0], "-N", "", "-f", ssh.path(name)] + size)
    try #require(made.status == 0, "\(made.text)")
    hostKey = ssh.path(name + ".pub")
    let isCertified = words.last == "certificate"
    if isCertified {
      _ = try ssh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ssh.path(name + "-ca"))
      let signed = try ssh(
        "ssh-keygen", "-q", "-s", ssh.path(name + "-ca"), "-I", "host", "-h", "-n", "127.0.0.1",
        hostKey)
      try #require(signed.status == 0, "\(signed.text)")
    }
    // A program that has the port already lets the server end, and another port is tried.
    var started: (port: UInt16, process: Int32)?
    for _ in 0..<20 where started == nil {
      let port = UInt16.random(in: 20_000...29_999)
      started = try SSHServer.start(ssh, name, port, keys, isCertified).map { (port, $0) }
    }
    let server = try #require(started, "sshd does not start.")
    port = server.port
    process = server.process
  }

  /// Starts the server, and returns its number as soon as it listens, or nil if it ends before.
  private static func start(
    _ ssh: SSHRun, _ name: String, _ port: UInt16, _ keys: [String], _ isCertified: Bool
  ) throws -> Int32? {
    // The server writes this file when it listens.
    let number = ssh.path(name + "-process")
    let settings = """
      Port \(port)
      ListenAddress 127.0.0.1
      HostKey \(ssh.path(name))
      \(isCertified ? "HostCertificate \(ssh.path(name))-cert.pub" : "")
      PidFile \(number)
      AuthorizedKeysFile \(keys.joined(separator: " "))
      StrictModes no
      UsePAM no
      PasswordAuthentication no
      PermitRootLogin yes
      """
    let file = ssh.path(name + "-settings")
    try Data((settings + "\n").utf8).write(to: URL(fileURLWithPath: file))
    let process = try ssh.run.start("/usr/sbin/sshd -D -f '\(file)'")
    func isThere() -> Bool { FileManager.default.fileExists(atPath: number) }
    eventually { isThere() || kill(process, 0) != 0 }
    return isThere() ? process : nil
  }

  deinit { kill(process, SIGKILL) }

  /// The words that log in with a key.
  ///
  /// - Parameter key: The path of the public half.
  func words(_ key: String, options: [String] = []) -> [String] {
    [
      "ssh", "-F", "none", "-p", String(port), "-o", "StrictHostKeyChecking=no", "-o",
      "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "BatchMode=yes", "-o",
      "ConnectionAttempts=20", "-i", key, "-o", "IdentitiesOnly=yes",
    ] + options + ["root@127.0.0.1"]
  }

  /// Logs in with a key, and runs a command there.
  func run(
    _ command: String, key: String, options: [String] = [], agent: String? = nil
  ) throws -> (status: Int32, text: String) {
    try ssh.run.execute(
      "/usr/bin/env", words(key, options: options) + [command],
      with: ["SSH_AUTH_SOCK": agent ?? ssh.run.sshSocket, "HOME": ssh.run.folder.path])
  }
}
