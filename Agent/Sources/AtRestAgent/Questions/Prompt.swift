import AtRestCrypto
import Foundation

/// The way in which the agent asks its user.
package enum Prompt: Sendable, Equatable {
  /// Nobody is asked, and the answer is always a refusal.
  case never
  /// A program with an absolute path that reads the question from its standard input.
  case program(String)
  /// A program with an absolute path that is called as OpenSSH calls `SSH_ASKPASS`. Other users see the
  /// question in the list of processes.
  case askpass(String)
  /// The terminal from which the agent was started.
  case terminal

  /// The program that `SSH_ASKPASS` names.
  package static var standard: Prompt {
    let path = ProcessInfo.processInfo.environment["SSH_ASKPASS"] ?? ""
    return path.hasPrefix("/") ? .askpass(path) : .never
  }

  private static let askpassPrefix = "askpass:"

  /// Reads `never`, `terminal`, the absolute path of a program, or `askpass:` and one. Returns nil for
  /// other text.
  package init?(argument: String) {
    switch argument {
    case "never": self = .never
    case "terminal": self = .terminal
    case _ where argument.hasPrefix("/"): self = .program(argument)
    case _ where argument.hasPrefix(Self.askpassPrefix + "/"):
      self = .askpass(String(argument.dropFirst(Self.askpassPrefix.count)))
    default: return nil
    }
  }

  /// The text that ``init(argument:)`` reads.
  package var argument: String {
    switch self {
    case .never: "never"
    case .program(let path): path
    case .askpass(let path): Self.askpassPrefix + path
    case .terminal: "terminal"
    }
  }

  /// The program that asks, or nil.
  private var program: PromptProgram? {
    switch self {
    case .program(let path): PromptProgram(path, question: .input)
    case .askpass(let path): PromptProgram(path, question: .argument)
    case .never, .terminal: nil
    }
  }

  /// True if somebody can be asked now, as far as this is known without asking.
  var canAsk: Bool {
    switch self {
    case .never: false
    case .program(let path), .askpass(let path): access(path, X_OK) == 0
    case .terminal: PromptTerminal.isInForeground
    }
  }

  /// Asks a question that has more answers than yes and no.
  ///
  /// - Throws: ``AtRestError/Code/interactionNotAllowed`` if nobody can be asked;
  ///   ``AtRestError/Code/canceled`` if nobody answered in time, or the answer has no meaning.
  func answer(to question: Question, until end: ContinuousClock.Instant) throws -> Question.Answer {
    switch self {
    case .never: throw Self.nobody
    case .program, .askpass:
      let result = try program!.run(question.text, isConfirmation: true, until: end)
      guard result.status == 0 else { return .never }
      guard let answer = Question.Answer(words: result.output) else { throw Self.noAnswer }
      return answer
    case .terminal:
      let line = try PromptTerminal().line(question.text + "\n" + Question.choices, until: end)
      guard let answer = Question.Answer(word: line) else { throw Self.noAnswer }
      return answer
    }
  }

  /// Asks whether something may be done.
  ///
  /// - Throws: ``AtRestError/Code/canceled`` if the user does not say yes; the errors of
  ///   ``answer(to:until:)``.
  func confirm(_ text: String, until end: ContinuousClock.Instant) throws {
    let isConfirmed: Bool
    switch self {
    case .never: throw Self.nobody
    case .program, .askpass:
      isConfirmed = try program!.run(text, isConfirmation: true, until: end).status == 0
    case .terminal:
      isConfirmed = try PromptTerminal().line(text + " (yes or no) ", until: end) == "yes"
    }
    guard isConfirmed else {
      throw AtRestError(
        .canceled, "The request was not confirmed.", remedy: "Try again, and confirm it.")
    }
  }

  /// Asks for a passcode.
  ///
  /// - Parameter isWanted: Asked several times in a second. Returns false to withdraw the question.
  /// - Throws: The errors of ``answer(to:until:)``.
  func passcode(
    _ text: String, until end: ContinuousClock.Instant, while isWanted: () -> Bool = { true }
  ) throws -> SecretBytes {
    switch self {
    case .never: throw Self.nobody
    case .program, .askpass:
      let result = try program!.run(text, isConfirmation: false, until: end, while: isWanted)
      guard result.status == 0 else { throw Self.noAnswer }
      return result.output.withUnsafeBytes { bytes in
        SecretBytes(copying: .init(rebasing: bytes.prefix { $0 != 10 && $0 != 13 }))
      }
    case .terminal: return try PromptTerminal().secret(text, until: end, while: isWanted)
    }
  }

  static let nobody = AtRestError(
    .interactionNotAllowed, "The agent has no way to ask a person.",
    remedy: "Start it with --ask or SSH_ASKPASS, and check that this works.")

  static let noAnswer = AtRestError(
    .canceled, "The agent asked its user, and got no answer.", remedy: "Try again, and answer.")
}
