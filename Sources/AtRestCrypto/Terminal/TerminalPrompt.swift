import Foundation

/// The terminal itself, for questions, whatever standard input and output are.
@_spi(Tools) public struct TerminalPrompt: ~Copyable {
  /// The length of the longest line that terminals deliver completely, in bytes.
  private static let longestLine = 4096

  private let file: Int32

  /// Opens the terminal.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the process has no terminal.
  public init() throws {
    file = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      throw AtRestError(
        .invalidArgument, "There is no terminal for the question.",
        remedy: "Pass the answer in a file or pipe; see --help.")
    }
  }

  deinit { close(file) }

  /// True if there is a terminal for questions.
  public static var isPresent: Bool { (try? TerminalPrompt()) != nil }

  /// Opens the terminal, shows a prompt, and returns the line that is typed then and not shown.
  ///
  /// - Throws: As ``init()`` and ``line(_:isHidden:)``.
  public static func secret(_ prompt: String) throws -> SecretBytes {
    try TerminalPrompt().silently { try $0.line(prompt, isHidden: true) }
  }

  /// Hides what is typed until the closure returns, also if a signal ends the process.
  ///
  /// Echo is turned off before the first prompt is shown, so no answer is shown or discarded.
  public borrowing func silently(
    _ body: (borrowing TerminalPrompt) throws -> SecretBytes
  ) throws -> SecretBytes {
    let silence = TerminalSilence(file)
    defer { silence.end() }
    return try body(self)
  }

  /// Shows a prompt, and returns the line that is typed then.
  ///
  /// - Parameter isHidden: True if typed text is not shown now, so a newline must be written.
  /// - Throws: ``AtRestError/Code/canceled`` if the input ends.
  public borrowing func line(_ prompt: String, isHidden: Bool = false) throws -> SecretBytes {
    try show(prompt)
    defer { if isHidden { try? show("\n") } }
    return try line()
  }

  private borrowing func show(_ text: String) throws {
    var text = text
    try text.withUTF8 { bytes in
      guard write(file, bytes.baseAddress, bytes.count) == bytes.count else {
        throw AtRestError(
          .invalidArgument, "The terminal cannot be written to.",
          remedy: "Pass the answer in a file or pipe; see --help.")
      }
    }
  }

  private borrowing func line() throws -> SecretBytes {
    var count = 0
    let buffer = try SecretBytes(count: Self.longestLine) { bytes in
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
