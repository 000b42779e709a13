import Foundation

/// A child process of the tests.
final class Worker {
  /// True if every test runs in its long form (`make torture`).
  static let isFull = ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full"

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts `atrest-torture-worker` with a verb and its arguments.
  convenience init(_ verb: String, _ scratch: Scratch, _ arguments: String...) throws {
    try self.init(
      program: "atrest-torture-worker",
      [verb, scratch.store.path, scratch.device.path] + arguments)
  }

  /// Starts another worker, with some variables added to those of this process.
  init(
    program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    process.executableURL = try Self.binary(program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { _, new in new }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Returns the worker, which is in the folder of the test bundle, whatever the configuration is
  /// called.
  static func binary(_ name: String) throws -> URL {
    var starts = [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])]
    if let executable = Bundle.main.executableURL { starts.append(executable) }
    starts += Bundle.allBundles.map(\.bundleURL)
    for start in starts {
      var folder = start.resolvingSymlinksInPath()
      for _ in 0..<5 {
        let binary = folder.appendingPathComponent(name)
        if FileManager.default.isExecutableFile(atPath: binary.path) { return binary }
        folder = folder.deletingLastPathComponent()
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  func send(_ data: Data) throws {
    try input.fileHandleForWriting.write(contentsOf: data)
    try input.fileHandleForWriting.close()
  }

  func write(_ data: Data) throws { try input.fileHandleForWriting.write(contentsOf: data) }

  /// Lets a worker continue that waits for a line.
  func go() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

  var identifier: Int32 { process.processIdentifier }

  /// The output of the worker since the last call, empty at its end.
  func available() -> Data { output.fileHandleForReading.availableData }

  /// Kills the worker a given time after it has written a number of `done` lines.
  ///
  /// - Returns: All words of its output, line by line, and the signal with which it ended.
  func killed(
    after count: Int, and moment: Duration
  ) -> (lines: [[String]], signal: Int32) {
    var said = Data()
    while String(decoding: said, as: UTF8.self).components(separatedBy: "done").count <= count
      || said.isEmpty
    {
      let more = available()
      if more.isEmpty { break }
      said += more
    }
    // A sleep would end too late for short times.
    let end = ContinuousClock.now + moment
    while ContinuousClock.now < end {}
    kill()
    let (rest, signal, _) = finish()
    // A chunk may end within a line, so all chunks are joined before they are split.
    let all = String(decoding: said, as: UTF8.self) + rest.joined(separator: "\n")
    return (
      all.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }, signal
    )
  }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Waits for the end.
  ///
  /// - Returns: The lines that were not read yet, and the signal that ended the worker, or 0.
  func finish() -> (lines: [String], signal: Int32, status: Int32) {
    let rest = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return (
      String(decoding: rest, as: UTF8.self).split(separator: "\n").map(String.init),
      isSignal ? process.terminationStatus : 0, isSignal ? 0 : process.terminationStatus
    )
  }
}

/// A folder for a store and one for its device, removed with this object.
final class Scratch: Sendable {
  let folder: URL
  var store: URL { folder.appendingPathComponent("store") }
  var device: URL { folder.appendingPathComponent("device") }

  /// A folder in memory, if the system offers one, in which many small folders can be created and
  /// removed fast.
  static let memory: URL = {
    let memory = URL(fileURLWithPath: "/dev/shm")
    return FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }()

  init(in place: URL = FileManager.default.temporaryDirectory) throws {
    folder = place.appendingPathComponent("atrest-torture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Copies store and device as they are. Either may be missing.
  func copy() throws -> Scratch {
    let copy = try Scratch(in: folder.deletingLastPathComponent())
    for (from, to) in [(store, copy.store), (device, copy.device)]
    where FileManager.default.fileExists(atPath: from.path) {
      try FileManager.default.copyItem(at: from, to: to)
    }
    return copy
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
