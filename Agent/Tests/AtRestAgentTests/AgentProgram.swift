import AtRestKeychain
import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// The program `atrest-agent`, serving a store until this object is released.
final class AgentProgram {
  let socket: String
  private let process = Process()

  /// Starts the program, and waits until it listens.
  ///
  /// - Parameter folder: A folder for its socket and its log.
  init(_ location: StoreLocation, in folder: URL, _ options: [String] = []) throws {
    socket = folder.appendingPathComponent("program/agent").path
    process.executableURL = URL(fileURLWithPath: try Self.path())
    process.arguments =
      [
        "--store", location.store.path, "--device", location.device.path, "--socket", socket,
        "--log", folder.path,
      ] + options
    process.standardError = FileHandle.nullDevice
    try process.launchInTurn()
    eventually { (try? connect()) != nil }
    _ = try connect()
  }

  deinit { kill() }

  /// The path of the program, in the configuration that is tested.
  static func path() throws -> String {
    let folders =
      [Bundle.main.bundleURL]
      + CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    return try #require(
      folders.map { $0.appendingPathComponent("atrest-agent").path }.first {
        FileManager.default.isExecutableFile(atPath: $0)
      }, "atrest-agent is not built.")
  }

  var identifier: Int32 { process.processIdentifier }

  func connect() throws -> AgentConnection { try AgentConnection(to: socket) }

  /// Ends the program as a crash would, and waits for its end.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
