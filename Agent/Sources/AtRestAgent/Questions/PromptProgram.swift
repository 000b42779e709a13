import AtRestCrypto
import Foundation

/// A program that asks the user. It gets the text as its argument, and writes what was typed to its
/// standard output.
struct PromptProgram {
  /// The exit code and the output of a program.
  struct Result: ~Copyable {
    let status: Int32
    let output: SecretBytes
  }

  private static let largestOutput = 1024
  private let path: String

  init(_ path: String) { self.path = path }

  /// Runs the program, and ends it if it has not ended in time.
  ///
  /// - Parameter isConfirmation: True to set `SSH_ASKPASS_PROMPT=confirm`: the exit code 0 means yes.
  /// - Throws: ``AtRestError/Code/interactionNotAllowed`` if the program cannot be run, or crashes;
  ///   ``AtRestError/Code/canceled`` if it does not end in time.
  func run(
    _ text: String, isConfirmation: Bool, until end: ContinuousClock.Instant
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [text]
    var environment = ProcessInfo.processInfo.environment
    environment["SSH_ASKPASS_PROMPT"] = isConfirmation ? "confirm" : nil
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    do {
      try process.run()
    } catch {
      throw AtRestError(
        .interactionNotAllowed, "Could not run \(path).", remedy: "Check the program that asks.",
        cause: error)
    }
    // More than this fills the pipe, and the program is ended.
    guard hasEnded.wait(timeout: .now() + Self.seconds(until: end)) == .success else {
      kill(process.processIdentifier, SIGKILL)
      hasEnded.wait()
      throw Prompt.noAnswer
    }
    guard process.terminationReason == .exit else {
      throw AtRestError(
        .interactionNotAllowed, "\(path) crashed.", remedy: "Check the program that asks.")
    }
    return Result(
      status: process.terminationStatus,
      output: Self.contents(of: output.fileHandleForReading.fileDescriptor))
  }

  static func seconds(until end: ContinuousClock.Instant) -> Double {
    max(0, (end - .now) / .seconds(1))
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
