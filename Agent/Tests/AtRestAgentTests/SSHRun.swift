import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// An agent with key pairs for SSH, and the programs of OpenSSH that use it.
struct SSHRun {
  static let algorithms: [(tag: String, algorithm: KeyAlgorithm)] = [
    ("a-p256", .p256), ("b-p384", .p384), ("c-ed25519", .ed25519), ("d-rsa", .rsa2048),
  ]

  let run: AgentRun

  init() throws {
    run = try AgentRun()
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    let keychain = try Keychain.open(keybag, identity: .owner())
    for (tag, algorithm) in Self.algorithms {
      try keychain.createKey(algorithm, tag: tag, group: "ssh")
    }
    keychain.close()
    keybag.close()
  }

  /// Runs a program with this agent as its ssh-agent.
  func callAsFunction(
    _ program: String, _ arguments: String..., input: String = ""
  ) throws -> (status: Int32, text: String) {
    try run.execute(
      "/usr/bin/env", [program] + arguments, input: input,
      with: ["SSH_AUTH_SOCK": run.sshSocket, "HOME": run.folder.path])
  }

  func path(_ name: String) -> String { run.folder.appendingPathComponent(name).path }

  /// Writes the public half of a key into a file, and returns its path.
  func publicKeyFile(_ tag: String) throws -> String {
    let list = try self("ssh-add", "-L").text.split(separator: "\n")
    let line = try #require(list.first { $0.hasSuffix(" " + tag) })
    try Data((line + "\n").utf8).write(to: URL(fileURLWithPath: path(tag + ".pub")))
    return path(tag + ".pub")
  }

  /// Returns the last entry of the audit log.
  func lastEntry() throws -> String {
    let entries: [AgentLogEntry] = try run.connect().document(.log(count: 1))
    return entries.last.map { "\($0.operation) \($0.answer)" } ?? ""
  }
}
