import Foundation
import Testing

/// The program `atrest-database-worker`, which runs SQL on a database. It is a process, so that it can be
/// killed and its writes recorded.
final class Worker {
  struct Refusal: Error { let message: String }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  init(
    _ url: URL, key: String = Scratch.key, recording: URL? = nil
  ) throws {
    if let recording {
      var environment = ProcessInfo.processInfo.environment
      environment["ATREST_RECORDING"] = recording.path
      process.environment = environment
    }
    // The test bundle or, on Linux, the test program is beside the worker.
    process.executableURL = Bundle(for: Worker.self).bundleURL
      .appendingPathComponent("atrest-database-worker")
    process.arguments = [url.path, key]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    _ = try answer()
  }

  deinit { kill() }

  /// Runs a statement and returns its rows, with their columns separated by `|`.
  @discardableResult
  func run(_ sql: String) throws -> [String] {
    send(sql)
    return try answer()
  }

  /// Sends a statement without waiting for its end.
  func send(_ sql: String) { input.fileHandleForWriting.write(Data((sql + "\n").utf8)) }

  /// Kills the process as `kill -9` does it.
  func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Ends the process, which closes the database.
  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Waits for the answer to a statement that was sent.
  @discardableResult
  func answer() throws -> [String] {
    var rows: [String] = []
    while let line = line() {
      if line == "." { return rows }
      if line.hasPrefix("! ") { throw Refusal(message: String(line.dropFirst(2))) }
      rows.append(line)
    }
    throw Refusal(message: "The process ended.")
  }

  private func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread = Data(unread[unread.index(after: end)...])
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread += more
    }
  }
}
