import Foundation

/// A TPM in software for a machine of a life, with its state in a folder.
final class LifeTPM {
  static let isInstalled = ["swtpm", "tpm2_dictionarylockout"].allSatisfy { program in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  private var process = Process()
  private let path: String
  let folder: URL
  var transport: String { "swtpm:path=\(path)" }

  /// - Parameter attemptLimit: The number of wrong passcodes and power cuts after which the TPM is locked out. 32
  ///   is usual; a life on a fast machine cuts the power more often than the TPM forgives it.
  init(attemptLimit: Int) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tpm-\(String(UInt64.random(in: 0 ... .max), radix: 36))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("s").path
    try start()
    // Each kill is a power cut of the TPM, which counts it as a wrong passcode if one was in use. One is forgiven
    // each second, so that a life does not wait for hours.
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tool.arguments = [
      "tpm2_dictionarylockout", "--setup-parameters", "--max-tries=\(attemptLimit)",
      "--recovery-time=1",
      "--lockout-recovery-time=1",
    ]
    tool.environment = ProcessInfo.processInfo.environment.merging(["TPM2TOOLS_TCTI": transport]) {
      $1
    }
    try tool.run()
    tool.waitUntilExit()
    guard tool.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  /// Switches the TPM off and on, which frees the objects that a killed program left in it.
  func restart() throws {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    for socket in [path, path + ".ctrl"] { unlink(socket) }
    try start()
  }

  private func start() throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)",
      "--server", "type=unixio,path=\(path)", "--ctrl", "type=unixio,path=\(path).ctrl",
      "--flags", "not-need-init,startup-clear",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let end = ContinuousClock.now + .seconds(60)
    while !Self.isListening(path + ".ctrl") || !Self.isListening(path) {
      guard process.isRunning, ContinuousClock.now < end else { throw CocoaError(.fileNoSuchFile) }
      usleep(2000)
    }
  }

  private static func isListening(_ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
