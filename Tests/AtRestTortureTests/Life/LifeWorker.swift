import Foundation

/// A process of `atrest-life-worker` that takes one order after the other.
final class LifeWorker {
  struct Answer: Decodable {
    var code: String
    var message: String
    var values: [String: String]
    var isDone: Bool { code == "done" }
  }

  /// A worker that ended, or did not answer.
  struct Ended: Error { let order: [String: String] }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()

  init(_ programs: LifePrograms) throws {
    process.executableURL = programs.worker
    process.arguments = ["serve"]
    process.environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("ATREST_") }.merging(["TSS2_LOG": "all+NONE"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { kill() }

  var isRunning: Bool { process.isRunning }

  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Sends an order without waiting for the answer.
  func send(_ order: [String: String]) throws {
    // A worker that was killed must not end the tests with a signal.
    signal(SIGPIPE, SIG_IGN)
    var line = try JSONEncoder().encode(order)
    line.append(UInt8(ascii: "\n"))
    try input.fileHandleForWriting.write(contentsOf: line)
  }

  /// Reads the answer to the last order, or nil if the worker ended before it.
  func answer() throws -> Answer? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(rest[..<end])
        rest = Data(rest[rest.index(after: end)...])
        return try JSONDecoder().decode(Answer.self, from: line)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }

  func perform(_ order: [String: String]) throws -> Answer {
    try send(order)
    guard let answer = try answer() else { throw Ended(order: order) }
    return answer
  }
}
