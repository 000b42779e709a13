import Foundation
import Testing

/// The program `atrest`, beside `atrest-agent`.
struct CommandLineProgram {
  let run: AgentRun
  let path: String
  /// Variables of the environment.
  var values: [String: String]

  /// True if an ordinary user can make a root of its own here.
  static let canMakeSandboxes: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = ["-Urm", "/usr/bin/python3", "-c", ""]
    process.standardError = FileHandle.nullDevice
    guard (try? process.launchInTurn()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  init(_ run: AgentRun) throws {
    self.run = run
    path =
      URL(fileURLWithPath: try AgentProgram.path()).deletingLastPathComponent()
      .appendingPathComponent("atrest").path
    try #require(FileManager.default.isExecutableFile(atPath: path), "atrest is not built.")
    let runtime = run.folder.appendingPathComponent("runtime")
    try FileManager.default.createDirectory(
      at: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    values = [
      "ATREST_STORE": run.location.store.path, "ATREST_DEVICE": run.location.device.path,
      "XDG_RUNTIME_DIR": runtime.path, "HOME": run.folder.path,
    ]
    let file = run.folder.appendingPathComponent("passcode")
    try Data(AgentRun.passcode.utf8).write(to: file)
  }

  /// The options that read the passcode of the store from a file.
  var passcode: [String] { ["--passcode-file", run.folder.path + "/passcode"] }

  /// Runs a command without a terminal.
  @discardableResult
  func callAsFunction(_ arguments: String...) throws -> (status: Int32, text: String) {
    try self(arguments)
  }

  /// Runs a command without a terminal.
  @discardableResult
  func callAsFunction(_ arguments: [String]) throws -> (status: Int32, text: String) {
    try run.execute(path, arguments, with: values)
  }

  /// Runs a command with the passcode.
  @discardableResult
  func withPasscode(_ arguments: String...) throws -> (status: Int32, text: String) {
    try run.execute(path, arguments + passcode, with: values)
  }

  /// Runs a script of bash without a terminal, in a session of its own.
  func script(_ text: String) throws -> (status: Int32, text: String) {
    try run.execute(
      "/usr/bin/setsid", ["-w", "/bin/bash", "-c", text],
      with: values.merging(["ATREST": path]) { $1 })
  }

  /// Runs a script of bash on a terminal of its own, and types the passcode each time that it is asked
  /// for.
  func onTerminal(_ text: String) throws -> String {
    let driver = """
      import os, pty, sys
      child, terminal = pty.fork()
      if child == 0: os.execv("/bin/bash", ["bash", "-c", sys.argv[1]])
      seen = ""
      while True:
        try: part = os.read(terminal, 1024)
        except OSError: break
        if not part: break
        sys.stdout.write(part.decode()); seen += part.decode()
        while "Passcode" in seen:
          seen = seen.split("Passcode", 1)[1]
          os.write(terminal, (sys.argv[2] + "\\n").encode())
      """
    return try run.execute(
      "/usr/bin/python3", ["-c", driver, text, AgentRun.passcode],
      with: values.merging(["ATREST": path]) { $1 }
    ).text
  }
}
