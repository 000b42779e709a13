import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Keys in a TPM sign for SSH.
@Suite(
  .enabled(
    if: AgentRun.isInstalled("swtpm") && AgentRun.isInstalled("ssh-add"),
    "needs swtpm and OpenSSH"))
struct SSHHardwareTests {
  /// A TPM in software, which ends with this value.
  private final class SoftwareTPM {
    private let process: Int32
    private let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "agent-tpm-\(UUID().uuidString.prefix(13))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let socket = folder.appendingPathComponent("s").path
      let script = AgentRun.script(
        starting: """
          swtpm socket --tpm2 --tpmstate 'dir=\(folder.path)' \
            --server 'type=unixio,path=\(socket)' --ctrl 'type=unixio,path=\(socket).ctrl' \
            --flags not-need-init,startup-clear
          """)
      let start = Process()
      start.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      start.arguments = ["bash", "-c", script]
      let output = Pipe()
      start.standardOutput = output
      try start.launchInTurn()
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      start.waitUntilExit()
      process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      try #require(eventually { isListening(socket + ".ctrl") && isListening(socket) })
      // Only this suite uses a TPM.
      setenv("ATREST_TPM", "swtpm:path=\(socket)", 1)
    }

    deinit {
      kill(process, SIGKILL)
      try? FileManager.default.removeItem(at: folder)
    }
  }

  @Test func aKeyInHardwareSigns() throws {
    let device = try SoftwareTPM()
    let ssh = try SSHRun([("in-memory", .p256)], hardware: "in-hardware", root: .tpm)
    try ssh.run.unlock()
    try ssh.run.grant("ssh")
    let list = try ssh("ssh-add", "-L").text
    let names = list.split(separator: "\n").compactMap { $0.split(separator: " ").last }
    #expect(names == ["in-hardware", "in-memory"], "\(list)")
    let key = try ssh.publicKeyFile("in-hardware")
    #expect(try ssh.signs(key))
    #expect(try ssh.signs(ssh.publicKeyFile("in-memory")))
    // A keychain signs with it through the agent, which does not give out its form.
    let claim = try AgentClaim(store: ssh.run.location.store, socket: ssh.run.socket)
    let keychain = try Keychain.open(
      ssh.run.location.openKeybag(), identity: ApplicationIdentity("ssh"))
    _ = try keychain.sign(Data("message".utf8), tag: "in-hardware")
    let refused = #expect(throws: AtRestError.self) { try keychain.hardwareKey(tag: "in-hardware") }
    #expect(refused?.code == .locked && refused?.message.contains("gives out no keys") == true)
    #expect(refused?.remedy.contains("in this process") == true)
    #expect(try keychain.hardwareKey(tag: "in-memory") == nil)
    withExtendedLifetime(claim) {}
    // Locked, it is listed and does not sign.
    try ssh.run.connect().send(.lock)
    #expect(try ssh("ssh-add", "-L").text == list)
    #expect(try !ssh.signs(key))
    #expect(try ssh.lastEntry() == "ssh-sign locked")
    withExtendedLifetime(device) {}
  }
}
