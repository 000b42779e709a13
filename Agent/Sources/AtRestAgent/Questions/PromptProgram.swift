import AtRestCrypto
import CAtRestPeer
import Foundation

/// A program that asks the user. It writes what was typed to its standard output.
struct PromptProgram {
  /// The exit code and the output of a program.
  struct Result: ~Copyable {
    let status: Int32
    let output: SecretBytes
  }

  /// Where a program finds the question.
  enum Place: Sendable {
    /// On its standard input. Other users cannot read it.
    case input
    /// In its argument, as programs for `SSH_ASKPASS` expect it. Other users see it in the list of
    /// processes.
    case argument
  }

  /// The argument of a program that reads the question.
  static let hint = "The question of atrest-agent is on standard input."

  private static let largestOutput = 1024
  private let path: String
  private let place: Place

  init(_ path: String, question place: Place) {
    (self.path, self.place) = (path, place)
  }

  /// Runs the program, and ends it if it has not ended in time.
  ///
  /// - Parameters:
  ///   - isConfirmation: True to set `SSH_ASKPASS_PROMPT=confirm`: the exit code 0 means yes.
  ///   - isWanted: Asked several times in a second. Returns false to end the program.
  /// - Throws: ``AtRestError/Code/interactionNotAllowed`` if the program cannot be run, or crashes;
  ///   ``AtRestError/Code/canceled`` if it does not end in time.
  func run(
    _ text: String, isConfirmation: Bool, until end: ContinuousClock.Instant,
    while isWanted: () -> Bool = { true }
  ) throws -> Result {
    let (input, output) = (try DescriptorPair(), try DescriptorPair())
    var process: Int32 = 0
    let error = start(text, isConfirmation, input.read, output.write, &process)
    guard error == 0 else {
      throw AtRestError(
        .interactionNotAllowed, "Could not run \(path): \(String(cString: strerror(error))).",
        remedy: "Check the program that asks.")
    }
    input.closeRead()
    output.closeWrite()
    // A pipe holds more than a question. A program that does not read it gets none.
    if place == .input { Self.write(text + "\n", to: input.write) }
    input.closeWrite()
    var status: Int32 = 0
    // More output than a pipe holds makes the program wait, and it is ended.
    var ended: Int32 = 0
    repeat {
      ended = atrest_wait_for_program(process, Self.milliseconds(until: end), &status)
    } while ended == 0 && isWanted() && end > .now
    guard ended == 1 else {
      kill(process, SIGKILL)
      _ = atrest_wait_for_program(process, 10_000, &status)
      throw Prompt.noAnswer
    }
    guard status & 0x7F == 0 else {
      throw AtRestError(
        .interactionNotAllowed, "\(path) crashed.", remedy: "Check the program that asks.")
    }
    return Result(status: status >> 8 & 0xFF, output: Self.contents(of: output.read))
  }

  private func start(
    _ text: String, _ isConfirmation: Bool, _ input: Int32, _ output: Int32,
    _ process: inout Int32
  ) -> Int32 {
    var variables = ProcessInfo.processInfo.environment
    variables["SSH_ASKPASS_PROMPT"] = isConfirmation ? "confirm" : nil
    let words = [path, place == .argument ? text : Self.hint]
    let (arguments, environment) = (
      words.map { strdup($0) } + [nil], variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    )
    defer { for word in arguments + environment { free(word) } }
    return atrest_start_program(path, arguments, environment, input, output, &process)
  }

  /// The time until the next look whether a question is still wanted.
  static func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
    Int32(min(seconds(until: end) * 1000, 200).rounded(.up))
  }

  static func seconds(until end: ContinuousClock.Instant) -> Double {
    max(0, (end - .now) / .seconds(1))
  }

  private static func write(_ text: String, to file: Int32) {
    _ = fcntl(file, F_SETFL, O_NONBLOCK)
    let bytes = Array(text.utf8)
    _ = Foundation.write(file, bytes, bytes.count)
  }

  /// Returns what is in the pipe, without waiting for others who may have it open.
  private static func contents(of file: Int32) -> SecretBytes {
    _ = fcntl(file, F_SETFL, O_NONBLOCK)
    var count = 0
    let bytes = SecretBytes(count: largestOutput) { bytes in
      while count < bytes.count {
        let got = read(file, bytes.baseAddress! + count, bytes.count - count)
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { break }
        count += got
      }
    }
    return bytes.withUnsafeBytes { SecretBytes(copying: .init(rebasing: $0[..<count])) }
  }
}
