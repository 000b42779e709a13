import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import CAtRestSystem
import Foundation

/// An agent that this process started in a session of its own.
final class StartedAgent {
  private static let patience = Duration.seconds(20)
  private let process: Int32
  /// The reading end of its standard error.
  private let messages: Int32

  /// Starts a program.
  ///
  /// - Throws: ``AtRestError/Code/system`` if it cannot be run.
  init(_ program: String, _ arguments: [String]) throws {
    var messages: Int32 = -1
    let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    process = words.withUnsafeBufferPointer {
      atrest_start_in_background(program, $0.baseAddress!, &messages)
    }
    self.messages = messages
    guard process > 0 else {
      throw AtRestError(
        .system, "Could not run \(program): \(String(cString: strerror(errno))).",
        remedy: "Check the program and its permissions.")
    }
  }

  deinit { if messages >= 0 { close(messages) } }

  /// Waits until the agent answers.
  ///
  /// - Throws: ``AtRestError/Code/system`` with the agent's message if it ends.
  func connect(_ store: StoreOptions) throws -> AgentConnection {
    let end = ContinuousClock.now + Self.patience
    while ContinuousClock.now < end {
      if let agent = try? AgentAccess.connectIfPresent(store) { return agent }
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG) == 0 else { break }
      usleep(10_000)
    }
    kill(process, SIGTERM)
    let lines = readLines()
    // What helps is indented, after the error that it concerns.
    let (advice, text) = (lines.filter { $0.hasPrefix(" ") }, lines.filter { !$0.hasPrefix(" ") })
    throw AtRestError(
      .system, "The agent did not start. \(text.joined(separator: " "))",
      remedy: advice.isEmpty
        ? "Run atrest-agent in the foreground to see more."
        : advice.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " "))
  }

  /// Takes the lines that the agent wrote to its standard error.
  private func readLines() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 2048)
    _ = fcntl(messages, F_SETFL, O_NONBLOCK)
    let count = read(messages, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }
}
