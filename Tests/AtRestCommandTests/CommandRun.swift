import Foundation
import Testing

/// A folder of a test's own, in which the test runs the built command.
final class CommandRun {
  /// The result of a run of the command.
  struct Result {
    let status: Int32
    let data: Data
    let notes: String
    var text: String { String(decoding: data, as: UTF8.self) }
    var json: [String: Any] {
      ((try? JSONSerialization.jsonObject(with: data)) as? [String: Any]) ?? [:]
    }
  }

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Creates a store without a passcode.
  static func withStore() throws -> CommandRun {
    let run = try CommandRun()
    #expect(try run("init", "--no-passcode").status == 0)
    return run
  }

  /// Returns a program beside the test bundle, in the configuration that is tested: the command, or
  /// a worker.
  static func binary(_ name: String = "atrest") throws -> URL {
    let named = CommandLine.arguments.flatMap { argument in
      // The runner has the bundle's path among its arguments.
      [URL(fileURLWithPath: argument).deletingLastPathComponent()]
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
      folders.map { $0.appendingPathComponent(name) }.first {
        FileManager.default.isExecutableFile(atPath: $0.path)
          && !FileManager.default.directoryExists(at: $0)
      }, "\(name) is not built.")
  }

  /// Writes a file into the folder, and returns its path.
  func file(_ name: String, _ contents: String) throws -> String {
    let file = folder.appendingPathComponent(name)
    try Data(contents.utf8).write(to: file)
    return file.path
  }

  /// Runs the command without a terminal, with text or nothing on standard input.
  func callAsFunction(_ arguments: String..., input: String? = nil) throws -> Result {
    try run(arguments, input: input)
  }

  /// Returns the environment of every run, with the store and the device of this folder.
  func environment() -> [String: String] {
    ProcessInfo.processInfo.environment.merging([
      "ATREST_STORE": folder.appendingPathComponent("store").path,
      "ATREST_DEVICE": folder.appendingPathComponent("device").path,
    ]) { $1 }
  }

  func run(
    _ arguments: [String], input: String?, with variables: [String: String] = [:]
  ) throws -> Result {
    // setsid detaches the terminal on which the tests may run.
    let setsid = "/usr/bin/setsid"
    let program = try Self.binary().path
    return FileManager.default.isExecutableFile(atPath: setsid)
      ? try execute(setsid, ["-w", program] + arguments, input: input, with: variables)
      : try execute(program, arguments, input: input, with: variables)
  }

  /// Runs a program in the folder, in the environment of the command.
  func execute(
    _ program: String, _ arguments: [String], input: String? = nil,
    with variables: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment().merging(variables) { $1 }
    process.currentDirectoryURL = folder
    // Files are used instead of pipes, because nothing can fill them up.
    func open(_ name: String) throws -> FileHandle {
      let file = folder.appendingPathComponent(".\(name)")
      try Data().write(to: file)
      return try FileHandle(forWritingTo: file)
    }
    process.standardOutput = try open("out")
    process.standardError = try open("notes")
    if let input {
      let path = try file(".in", input)
      process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      data: try Data(contentsOf: folder.appendingPathComponent(".out")),
      notes: String(
        decoding: try Data(contentsOf: folder.appendingPathComponent(".notes")), as: UTF8.self))
  }
}

extension FileManager {
  fileprivate func directoryExists(at url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
