@_spi(Tools) import AtRestKeychain
import Foundation

/// A running `atrest-agent`.
final class AgentProcess {
  let socket: String
  /// The time from the start of the program to its first answer.
  let milliseconds: Double
  private let process = Process()

  init(_ program: String, in place: URL) throws {
    socket = place.appendingPathComponent("run/agent").path
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "--store", place.appendingPathComponent("store").path, "--device",
      place.appendingPathComponent("device").path, "--socket", socket, "--log",
      place.appendingPathComponent("log").path,
    ]
    process.standardError = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    while true {
      if let connection = try? AgentConnection(to: socket),
        (try? connection.send(.status)) != nil
      {
        break
      }
      guard ContinuousClock.now - start < .seconds(30), process.isRunning else {
        throw AgentFailure("The agent does not start.")
      }
      usleep(200)
    }
    milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Returns the resident memory now and at most, in MiB.
  func memory() throws -> (now: Double, peak: Double) {
    let text = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    func value(_ name: String) -> Double {
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      return line.flatMap { Double($0.filter(\.isNumber)) }.map { $0 / 1024 } ?? .nan
    }
    return (value("VmRSS"), value("VmHWM"))
  }
}
