import Foundation

/// The program `atrest-agent`, serving a machine's store.
final class LifeAgent {
  private let process = Process()
  private let folder: URL
  /// True after an unlock, until something locks it.
  var isUnlocked = false

  init(_ programs: LifePrograms, on machine: LifeMachine, tpm: String?) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("agent-\(String(UInt64.random(in: 0 ... .max), radix: 36))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let socket = folder.appendingPathComponent("run/agent")
    process.executableURL = programs.agent
    process.arguments = ["--socket", socket.path, "--log", folder.path]
    process.environment = programs.environment(machine, tpm: tpm)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let end = ContinuousClock.now + .seconds(60)
    while !FileManager.default.fileExists(atPath: socket.path) {
      guard process.isRunning, ContinuousClock.now < end else { throw CocoaError(.fileNoSuchFile) }
      usleep(2000)
    }
  }

  var isRunning: Bool { process.isRunning }

  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: folder)
  }
}
