import AtRestCrypto
import Foundation

/// Asks the user on the terminal itself, whatever standard input and output are.
enum Terminal {
  /// The longest line that terminals give whole.
  private static let longestLine = 4096

  /// Whether there is a terminal to ask on.
  static var isPresent: Bool {
    let file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if file >= 0 { close(file) }
    return file >= 0
  }

  /// Asks for a secret, which is not shown.
  ///
  /// - Throws: ``AtRestError/Code/interactionNotAllowed`` where there is no terminal;
  ///   ``AtRestError/Code/canceled`` where the input ends.
  static func secret(_ prompt: String) throws -> SecretBytes {
    try withSilentTerminal { try hiddenLine(prompt, on: $0) }
  }

  /// Asks for a new secret, twice.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` where the two differ;
  ///   ``AtRestError/Code/invalidArgument`` where it is empty; as ``secret(_:)``.
  static func newSecret(_ name: String) throws -> SecretBytes {
    // Silent throughout: what is typed between the two prompts is neither shown nor lost.
    try withSilentTerminal { file in
      let first = try hiddenLine("New \(name)", on: file)
      guard first.count > 0 else {
        throw AtRestError.invalid(
          "The \(name) is empty.", remedy: "Type it, or end with Ctrl-C.")
      }
      let second = try hiddenLine("The same \(name) again", on: file)
      guard first.isEqual(to: second) else {
        throw AtRestError(
          .authenticationFailed, "The two differ.", remedy: "Nothing was changed: try again.")
      }
      return first
    }
  }

  /// Runs with echo off. It is off before the first prompt shows, so that nothing that is typed in
  /// answer to it is shown or thrown away.
  private static func withSilentTerminal(
    _ body: (Int32) throws -> SecretBytes
  ) throws -> SecretBytes {
    try withTerminal { file in
      let silence = TerminalSilence(file)
      defer { silence.end() }
      return try body(file)
    }
  }

  private static func hiddenLine(_ prompt: String, on file: Int32) throws -> SecretBytes {
    try show("\(Output.printable(prompt)): ", on: file)
    // The user's own newline is not shown.
    defer { try? show("\n", on: file) }
    return try line(of: file)
  }

  /// Asks for a word, which is shown.
  static func word(_ prompt: String) throws -> String {
    try withTerminal { file in
      try show("\(Output.printable(prompt)): ", on: file)
      return String(copying: try line(of: file)) ?? ""
    }
  }

  private static func withTerminal<Result: ~Copyable>(
    _ body: (Int32) throws -> Result
  ) throws -> Result {
    let file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      throw AtRestError(
        .interactionNotAllowed, "There is no terminal to ask on.",
        remedy: "Give the answer by a file or pipe: see --help.")
    }
    defer { close(file) }
    return try StatusLine.hidden { try body(file) }
  }

  private static func show(_ text: String, on file: Int32) throws {
    var text = text
    try text.withUTF8 { bytes in
      guard write(file, bytes.baseAddress, bytes.count) == bytes.count else {
        throw AtRestError(
          .interactionNotAllowed, "The terminal cannot be written to.",
          remedy: "Give the answer by a file or pipe: see --help.")
      }
    }
  }

  private static func line(of file: Int32) throws -> SecretBytes {
    var count = 0
    let buffer = try SecretBytes(count: longestLine) { bytes in
      while count < bytes.count {
        let got = read(file, bytes.baseAddress! + count, 1)
        if got < 0 && errno == EINTR { continue }
        guard got == 1 else {
          throw AtRestError(
            .canceled, "The input ended before an answer.", remedy: "Try again.")
        }
        if bytes[count] == UInt8(ascii: "\n") { return }
        count += 1
      }
    }
    return buffer.withUnsafeBytes { SecretBytes(copying: .init(rebasing: $0.prefix(count))) }
  }
}
