import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// An agent with key pairs for SSH, and the programs of OpenSSH that use it.
struct SSHRun {
  static let algorithms: [(tag: String, algorithm: KeyAlgorithm)] = [
    ("a-p256", .p256), ("b-p384", .p384), ("c-ed25519", .ed25519), ("d-rsa", .rsa2048),
  ]

  let run: AgentRun

  /// - Parameters:
  ///   - forwardable: The tag of one more key, which may be forwarded.
  ///   - hardware: The tag of one more key, which is in the device's hardware.
  init(
    _ keys: [(tag: String, algorithm: KeyAlgorithm)] = Self.algorithms, forwardable: String? = nil,
    hardware: String? = nil, root: DeviceRoot = .file
  ) throws {
    run = try AgentRun(root: root)
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    let keychain = try Keychain.open(keybag, identity: .owner())
    for (tag, algorithm) in keys {
      try keychain.createKey(algorithm, tag: tag, group: "ssh")
    }
    if let forwardable {
      try keychain.createKey(.p256, tag: forwardable, group: "ssh.forwardable")
    }
    if let hardware { try keychain.createHardwareKey(tag: hardware, group: "ssh") }
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

  /// Returns true if the agent signs with a key, and the signature is valid.
  ///
  /// - Parameter publicKey: The path of the public half, or of a certificate.
  func signs(_ publicKey: String, by socket: String? = nil) throws -> Bool {
    // ssh-keygen would use a private key that is beside the public one.
    let copy = path("public-\(UUID().uuidString)")
    try FileManager.default.copyItem(atPath: publicKey, toPath: copy)
    let values = ["SSH_AUTH_SOCK": socket ?? run.sshSocket, "HOME": run.folder.path]
    let signature = try run.execute(
      "/bin/sh", ["-c", "echo message | ssh-keygen -Y sign -n file -f '\(copy)' >'\(copy).sig'"],
      with: values)
    guard signature.status == 0 else { return false }
    return try run.execute(
      "/usr/bin/ssh-keygen", ["-Y", "check-novalidate", "-n", "file", "-s", copy + ".sig"],
      input: "message\n", with: values
    ).status == 0
  }

  /// Returns the last entry of the audit log.
  func lastEntry() throws -> String {
    let entries: [AgentLogEntry] = try run.connect().document(.log(count: 1))
    return entries.last.map { "\($0.operation) \($0.answer)" } ?? ""
  }
}
