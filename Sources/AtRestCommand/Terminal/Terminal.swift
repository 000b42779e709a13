@_spi(Tools) import AtRestCrypto
import Foundation

/// Asks the user on the terminal itself, whatever standard input and output are.
enum Terminal {
  /// True while the program that called this one wants no questions.
  @TaskLocal static var isForbidden = false

  /// True if there is a terminal for questions.
  static var isPresent: Bool { !isForbidden && TerminalPrompt.isPresent }

  /// Asks for a secret without showing it.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if there is no terminal, or no question is wanted;
  ///   ``AtRestError/Code/canceled`` if the input ends.
  static func secret(_ prompt: String) throws -> SecretBytes {
    guard !isForbidden else {
      throw AtRestError.invalid(
        "The caller of this program wants no questions (GIT_TERMINAL_PROMPT).",
        remedy: "Unlock the store in the agent (atrest unlock), or use --passcode-file.")
    }
    return try StatusLine.hidden { try TerminalPrompt.secret(shown(prompt)) }
  }

  /// Asks for the passcode of a store without showing it.
  ///
  /// - Throws: ``AtRestError/Code/canceled`` if nothing is typed; otherwise the errors of ``secret(_:)``.
  static func passcode(_ prompt: String) throws -> SecretBytes {
    let passcode = try secret(prompt)
    // No store has an empty one, and a wrong one would count as an attempt.
    guard passcode.count > 0 else {
      throw AtRestError(
        .canceled, "No passcode was typed.", remedy: "Type the passcode of the store.")
    }
    return passcode
  }

  /// Asks for a new secret, twice.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the two entries differ, or the secret is empty;
  ///   otherwise the errors of ``secret(_:)``.
  static func newSecret(_ name: String) throws -> SecretBytes {
    // Echo is off throughout, so text typed between the two prompts is neither shown nor lost.
    try StatusLine.hidden {
      try TerminalPrompt().silently { terminal in
        let first = try terminal.line(shown("New \(name)"), isHidden: true)
        guard first.count > 0 else {
          throw AtRestError.invalid(
            "The \(name) is empty.", remedy: "Type one, or press Ctrl-C to stop.")
        }
        let second = try terminal.line(shown("The same \(name) again"), isHidden: true)
        guard first.isEqual(to: second) else {
          throw AtRestError(
            .invalidArgument, "The two entries differ.",
            remedy: "Nothing was modified. Try again.")
        }
        return first
      }
    }
  }

  /// Asks for a word, which is shown as it is typed.
  static func word(_ prompt: String) throws -> String {
    try StatusLine.hidden { String(copying: try TerminalPrompt().line(shown(prompt))) ?? "" }
  }

  private static func shown(_ prompt: String) -> String { "\(Output.printable(prompt)): " }
}
