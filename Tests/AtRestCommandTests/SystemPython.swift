import Foundation

/// The Python of the system.
enum SystemPython {
  /// Its path, or nil if its `sqlite3` does not load extensions.
  static let path: String? = {
    let python = "/usr/bin/python3"
    guard FileManager.default.isExecutableFile(atPath: python) else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-c", "import sqlite3; sqlite3.Connection.enable_load_extension"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? python : nil
  }()
}
