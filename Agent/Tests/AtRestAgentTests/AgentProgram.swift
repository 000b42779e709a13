import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

/// The program `atrest-agent`, serving a store until this object is released.
final class AgentProgram {
  let socket: String
  private let messagesFile: URL
  private let process = Process()

  /// Starts the program, and waits until it listens.
  ///
  /// - Parameters:
  ///   - folder: A folder for its socket, its log, and the file `messages` with what it tells the user.
  ///   - options: Options. Without `--bus` and an environment, the agent has no session's bus.
  ///   - environment: Variables that replace those of this process.
  ///   - mostDescriptors: The number of descriptors that it may have open, or nil for the usual one.
  init(
    _ location: StoreLocation, in folder: URL, _ options: [String] = [],
    environment: [String: String] = [:], mostDescriptors: Int? = nil
  ) throws {
    socket = folder.appendingPathComponent("program/agent").path
    messagesFile = folder.appendingPathComponent("messages")
    let words =
      [
        try Self.path(), "--store", location.store.path, "--device", location.device.path,
        "--socket", socket, "--log", folder.path,
      ] + options + (options.contains("--bus") || !environment.isEmpty ? [] : ["--bus", "none"])
    process.executableURL = URL(fileURLWithPath: mostDescriptors == nil ? words[0] : "/bin/sh")
    process.arguments =
      mostDescriptors.map { ["-c", "ulimit -n \($0); exec \"$0\" \"$@\""] + words }
      ?? Array(words.dropFirst())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: messagesFile)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = try FileHandle(forWritingTo: messagesFile)
    try process.launchInTurn()
    eventually { (try? connect()) != nil }
    _ = try connect()
  }

  deinit { kill() }

  /// The path of the program: the one that `ATREST_TEST_AGENT` names, or the one that is built with the tests.
  static func path() throws -> String {
    if let path = ProcessInfo.processInfo.environment["ATREST_TEST_AGENT"] { return path }
    let folders =
      [Bundle.main.bundleURL]
      + CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    return try #require(
      folders.map { $0.appendingPathComponent("atrest-agent").path }.first {
        FileManager.default.isExecutableFile(atPath: $0)
      }, "atrest-agent is not built.")
  }

  /// The texts of the program for the user.
  var messages: String { (try? String(contentsOf: messagesFile, encoding: .utf8)) ?? "" }

  var isRunning: Bool { process.isRunning }

  var identifier: Int32 { process.processIdentifier }

  func connect() throws -> AgentConnection { try AgentConnection(to: socket) }

  /// Ends the program as a crash would, and waits for its end.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
