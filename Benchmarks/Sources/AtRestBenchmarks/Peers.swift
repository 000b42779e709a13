import Foundation

/// Another store of secrets, measured by a script in `Benchmarks/peers`.
enum Peer: String {
  case gnomeKeyring = "gnome_keyring.py"
  case pass = "pass.py"

  /// The exit code with which the script reports this.
  private static let notInstalled: Int32 = 77

  /// Returns the median of each operation in milliseconds for a number of items, or nil if the peer
  /// is not installed.
  func measure(items: Int, in folder: URL) throws -> [String: Double]? {
    let script = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("peers").appendingPathComponent(rawValue)
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return nil }
    let process = Process()
    let output = Pipe()
    // The system's Python has the bindings of libsecret.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [script.path, String(items)]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["BENCH_FOLDER": folder.path]) { _, new in new }
    process.standardOutput = output
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationStatus == Self.notInstalled { return nil }
    guard process.terminationStatus == 0 else { throw Failure(script: rawValue) }
    return try JSONDecoder().decode([String: Double].self, from: printed)
  }

  struct Failure: Error {
    let script: String
  }
}
