import AtRestCrypto
import Foundation

/// The terminal from which the agent was started.
struct PromptTerminal: ~Copyable {
  private static let longestLine = 1024
  private let file: Int32

  /// Opens the terminal.
  ///
  /// - Throws: ``AtRestError/Code/interactionNotAllowed`` if the agent has no terminal, or is not in
  ///   its foreground.
  init() throws {
    let file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    // To read from the background would stop the agent.
    guard file >= 0, tcgetpgrp(file) == getpgrp() else {
      if file >= 0 { close(file) }
      throw Prompt.nobody
    }
    self.file = file
  }

  deinit { close(file) }

  /// True if the agent has a terminal, and is in its foreground.
  static var isInForeground: Bool {
    do {
      _ = try PromptTerminal()
      return true
    } catch {
      return false
    }
  }

  /// Writes text, and returns the line that is typed then.
  ///
  /// - Throws: ``AtRestError/Code/canceled`` if nothing is typed in time.
  func line(_ text: String, until end: ContinuousClock.Instant) throws -> String {
    try bytes(text, until: end).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      .trimmingCharacters(in: .whitespaces)
  }

  /// Writes text, and returns the line that is typed then, which the terminal does not show.
  ///
  /// - Throws: As ``line(_:until:)``.
  func secret(
    _ text: String, until end: ContinuousClock.Instant, while isWanted: () -> Bool
  ) throws -> SecretBytes {
    var before = termios()
    guard tcgetattr(file, &before) == 0 else { throw Prompt.nobody }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    guard tcsetattr(file, TCSAFLUSH, &silent) == 0 else { throw Prompt.nobody }
    defer {
      // What was typed of a passcode whose question was withdrawn must not reach the next reader.
      _ = tcsetattr(file, TCSAFLUSH, &before)
      write("\n")
    }
    return try bytes(text + " ", until: end, while: isWanted)
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(file, bytes, bytes.count)
  }

  private func bytes(
    _ text: String, until end: ContinuousClock.Instant, while isWanted: () -> Bool = { true }
  ) throws -> SecretBytes {
    // What was typed before the question does not answer it.
    tcflush(file, TCIFLUSH)
    write(text)
    var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    var ready: Int32 = 0
    // The terminal passes on whole lines.
    repeat {
      ready = poll(&state, 1, PromptProgram.milliseconds(until: end))
    } while ready == 0 && isWanted() && end > .now
    guard ready == 1, tcgetpgrp(file) == getpgrp() else {
      write("\n")
      throw Prompt.noAnswer
    }
    var count = 0
    let line = SecretBytes(count: Self.longestLine) {
      count = read(file, $0.baseAddress!, $0.count)
    }
    guard count > 0 else { throw Prompt.noAnswer }
    return line.withUnsafeBytes { bytes in
      SecretBytes(copying: .init(rebasing: bytes[..<count].prefix { $0 != 10 }))
    }
  }
}
