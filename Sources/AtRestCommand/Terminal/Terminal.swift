import AtRestCrypto
import Foundation

/// Asks the user on the terminal itself, whatever standard input and output are.
enum Terminal {
  /// The length of the longest line that terminals deliver completely, in bytes.
  private static let longestLine = 4096

  /// True if there is a terminal for questions.
  static var isPresent: Bool {
    let file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if file >= 0 { close(file) }
    return file >= 0
  }

  /// Asks for a secret without showing it.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if there is no terminal;
  ///   ``AtRestError/Code/canceled`` if the input ends.
  static func secret(_ prompt: String) throws -> SecretBytes {
    try withSilentTerminal { try hiddenLine(prompt, on: $0) }
  }

  /// Asks for a new secret, twice.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the two entries differ, or the secret is empty;
  ///   otherwise the errors of ``secret(_:)``.
  static func newSecret(_ name: String) throws -> SecretBytes {
    // Echo is off throughout, so text typed between the two prompts is neither shown nor lost.
    try withSilentTerminal { file in
      let first = try hiddenLine("New \(name)", on: file)
      guard first.count > 0 else {
        throw AtRestError.invalid(
          "The \(name) is empty.", remedy: "Type one, or press Ctrl-C to stop.")
      }
      let second = try hiddenLine("The same \(name) again", on: file)
      guard first.isEqual(to: second) else {
        throw AtRestError(
          .invalidArgument, "The two entries differ.",
          remedy: "Nothing was modified. Try again.")
      }
      return first
    }
  }

  /// Runs a closure with echo off. Echo is turned off before the first prompt is shown, so no
  /// answer is shown or discarded.
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
    // The newline that the user types is not shown, so one is written.
    defer { try? show("\n", on: file) }
    return try line(of: file)
  }

  /// Asks for a word, which is shown as it is typed.
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
        .invalidArgument, "There is no terminal for the question.",
        remedy: "Pass the answer in a file or pipe; see --help.")
    }
    defer { close(file) }
    return try StatusLine.hidden { try body(file) }
  }

  private static func show(_ text: String, on file: Int32) throws {
    var text = text
    try text.withUTF8 { bytes in
      guard write(file, bytes.baseAddress, bytes.count) == bytes.count else {
        throw AtRestError(
          .invalidArgument, "The terminal cannot be written to.",
          remedy: "Pass the answer in a file or pipe; see --help.")
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
            .canceled, "The input ended without an answer.", remedy: "Try again.")
        }
        if bytes[count] == UInt8(ascii: "\n") { return }
        count += 1
      }
    }
    return buffer.withUnsafeBytes { SecretBytes(copying: .init(rebasing: $0.prefix(count))) }
  }
}
