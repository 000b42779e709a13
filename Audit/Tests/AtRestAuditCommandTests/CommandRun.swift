import Foundation
import Testing

/// A project in its own temporary folder, on which a test runs the built command.
final class CommandRun {
  /// The exit status and the output of one run of the command.
  struct Result {
    let status: Int32
    let text: String
    let notes: String
    var json: [String: Any] {
      ((try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]) ?? [:]
    }
  }

  /// Code with one finding, of `userdefaults-sensitive`, whose severity is high.
  static let bad = """
    import Foundation

    func login(password: String) {
      UserDefaults.standard.set(password, forKey: "password")
    }

    """

  let folder: URL

  init(_ files: [String: String] = ["Store.swift": CommandRun.bad]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-audit-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files { try write(name, text) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ name: String, _ text: String) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  /// Returns the command that was built with the test bundle, in whichever configuration is tested.
  static func binary() throws -> URL {
    let named = CommandLine.arguments.map {
      // The path of the bundle is among the runner's arguments.
      URL(fileURLWithPath: $0).deletingLastPathComponent()
    }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    #if DEBUG
      let configurations = ["debug", "release"]
    #else
      let configurations = ["release", "debug"]
    #endif
    let folders =
      [Bundle.main.bundleURL] + named
      + configurations.map { root.appendingPathComponent(".build/\($0)") }
    return try #require(
      folders.map { $0.appendingPathComponent("atrest-audit") }.first {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: $0.path, isDirectory: &isFolder)
          && !isFolder.boolValue
      }, "The command is not built.")
  }

  /// Runs the command in the project, with an empty standard input and without a terminal.
  func callAsFunction(
    _ arguments: String..., in subfolder: String = "", environment: [String: String] = [:]
  ) throws -> Result {
    try self.run(arguments, in: subfolder, environment: environment)
  }

  func run(
    _ arguments: [String], in subfolder: String = "", environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = try Self.binary()
    process.arguments = arguments
    process.currentDirectoryURL = folder.appendingPathComponent(subfolder)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Unlike pipes, files cannot fill up. An audit does not read files of these names.
    func open(_ name: String) throws -> FileHandle {
      let file = folder.appendingPathComponent(".\(name)")
      try Data().write(to: file)
      return try FileHandle(forWritingTo: file)
    }
    process.standardOutput = try open("out")
    process.standardError = try open("notes")
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, text: try read(".out"), notes: try read(".notes"))
  }
}
