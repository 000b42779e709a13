import Foundation
import Testing

/// A store, and a folder with the names under which other programs call the command.
struct CredentialRun {
  let run: CommandRun
  private let path: String

  init() throws {
    run = try CommandRun.withStore()
    try run.makeFolder("bin")
    try run.makeFolder("home")
    let bin = run.folder.appendingPathComponent("bin")
    for name in ["atrest", "git-credential-atrest", "docker-credential-atrest", "atrest-askpass"] {
      try FileManager.default.createSymbolicLink(
        at: bin.appendingPathComponent(name), withDestinationURL: CommandRun.binary())
    }
    path = "\(bin.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
  }

  /// Runs a program that finds the names on its PATH, with a folder of its own as home and without
  /// a terminal.
  func callAsFunction(
    _ program: String..., input: String? = nil, with variables: [String: String] = [:]
  ) throws -> CommandRun.Result {
    let home = run.folder.appendingPathComponent("home").path
    let values = [
      "PATH": path, "HOME": home, "XDG_CONFIG_HOME": home + "/.config", "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_TERMINAL_PROMPT": "0",
    ]
    return try run.execute(
      "/usr/bin/env", ["setsid", "-w"] + program, input: input,
      with: values.merging(variables) { $1 })
  }

  static func isInstalled(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin"]
    return folders.contains { FileManager.default.isExecutableFile(atPath: $0 + "/" + program) }
  }

  /// Locks the store with a passcode, and returns the path of the passcode's file.
  func lock() throws -> String {
    let passcode = try run.file("passcode", "the first passcode")
    let set = try run("passcode", "set", "--passcode-file", passcode, "--kdf-time", "1")
    #expect(set.status == 0)
    return passcode
  }
}
