import AtRestTPM
import Foundation

/// A TPM in software (swtpm), with a folder, a process and sockets of its own. It ends with the last
/// reference to it.
final class SoftwareTPM: @unchecked Sendable {
  static let isInstalled =
    isProgram("swtpm")
    && TPM.unavailability(of: "swtpm:path=/none")
      .map { !$0.message.contains("library") } == true
  static let reason = "swtpm or tpm2-tss is not installed; Scripts/setup-tests.sh installs them"

  let folder: URL
  private var process: Process?

  var socket: String { folder.appendingPathComponent("s").path }
  var transport: String { "swtpm:path=\(socket)" }

  /// Starts a TPM that has just left the factory.
  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tpm-\(String(UInt64.random(in: 0 ... .max), radix: 36))")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("state"), withIntermediateDirectories: true)
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts the process on the state in the folder.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)/state",
      "--server", "type=unixio,path=\(socket)", "--ctrl", "type=unixio,path=\(socket).ctrl",
      "--flags", "not-need-init,startup-clear",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    let end = ContinuousClock.now + .seconds(120)
    while !UnixSocket.isListening(socket + ".ctrl") || !UnixSocket.isListening(socket) {
      guard process.isRunning, ContinuousClock.now < end else { throw CocoaError(.fileNoSuchFile) }
      usleep(2000)
    }
  }

  /// Kills the process, as a power cut would.
  func stop() {
    guard let process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
    for path in [socket, socket + ".ctrl"] { unlink(path) }
  }

  /// Stops the process without ending it, as a TPM that does not answer.
  func freeze() { if let process { kill(process.processIdentifier, SIGSTOP) } }
  func thaw() { if let process { kill(process.processIdentifier, SIGCONT) } }

  /// Runs a program, by default of tpm2-tools, on this TPM. Returns its output.
  @discardableResult func tool(_ name: String, _ arguments: String...) throws -> String {
    try tool(name, arguments)
  }

  func tool(_ name: String, _ arguments: [String]) throws -> String {
    try Self.run(
      name, arguments, in: folder,
      environment: ["TPM2TOOLS_TCTI": transport, "TPM2OPENSSL_TCTI": transport])
  }

  func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  static func isProgram(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  private static func run(
    _ name: String, _ arguments: [String], in folder: URL, environment: [String: String]
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { $1 }.merging(["TSS2_LOG": "all+ERROR"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ToolFailure(text: "\(name): \(text)") }
    return text
  }
}

struct ToolFailure: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
