import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Dispatch
import Foundation
import Synchronization

/// Asks the user one question at a time, and remembers the answers.
///
/// Safe to use from several threads. Requests wait on their threads, and at most ``most`` of them do.
final class Questioner: Sendable {
  /// The number of requests that may wait for answers. One more is refused.
  static let most = 8
  /// The number of requests with the same evidence that may wait.
  private static let mostOfOne = 4

  /// A question that is asked now. Equal requests wait for the same answer.
  private final class Pending: Sendable {
    let hasEnded = DispatchGroup()
    let result = Mutex<Result<Question.Answer, any Error>?>(nil)
    init() { hasEnded.enter() }
  }

  private struct State {
    var waiting = 0
    var waitingByEvidence: [String: Int] = [:]
    var pending: [Question: Pending] = [:]
    var answers = RememberedAnswers()
    /// The number of times that the store was locked.
    var locks = 0
    /// Those who wait for the user, in order.
    var line: [DispatchSemaphore] = []
    var isAsking = false
  }

  /// The way in which the user is asked.
  let prompt: Prompt
  private let patience: Duration
  private let state = Mutex(State())

  /// Creates a questioner.
  ///
  /// - Parameter patience: The time within which a request has its answer, including the time for
  ///   which it waits for other questions.
  init(_ prompt: Prompt, patience: Duration) {
    self.prompt = prompt
    self.patience = patience
  }

  /// The number of requests that wait for answers.
  var waiting: Int { state.withLock { $0.waiting } }

  /// Forgets what was allowed until the lock.
  func storeWasLocked() {
    state.withLock { state in
      state.locks += 1
      state.answers.storeWasLocked()
    }
  }

  /// Returns normally if the user allows a request.
  ///
  /// - Parameters:
  ///   - store: Stores a grant, after the user answered *always*. It gets the time until which the
  ///     user may be asked for the passcode.
  ///   - asked: Records the answer when the user has been asked.
  /// - Throws: ``AtRestError/Code/notPermitted`` if the user refuses or does not answer;
  ///   ``AtRestError/Code/busy`` if too many requests wait; ``AtRestError/Code/system`` if the answer cannot
  ///   be stored or recorded. It allows nothing then.
  func ask(
    _ question: Question, store: (ContinuousClock.Instant) throws -> Void,
    asked: (String) throws -> Void
  ) throws {
    let end = ContinuousClock.now + patience
    let (pending, isFirst, locks) = try state.withLock { state in
      let locks = state.locks
      switch state.answers.decision(question, at: .now) {
      case .allowed: return (Pending?.none, false, locks)
      case .refused: throw Self.refusal
      case nil: break
      }
      try Self.enter(&state, question.evidence.description)
      if let pending = state.pending[question] { return (pending, false, locks) }
      let pending = Pending()
      state.pending[question] = pending
      return (pending, true, locks)
    }
    guard let pending else { return }
    defer { state.withLock { Self.leave(&$0, question.evidence.description) } }
    if isFirst {
      let result = Result { try answer(question, until: end, store, asked) }
      pending.result.withLock { $0 = result }
      state.withLock { state in
        state.pending[question] = nil
        // Whoever answered in vain has refused nothing.
        guard Self.failure(in: result) == nil else { return }
        state.answers.remember(
          try? result.get(), to: question, at: .now, wasLocked: state.locks != locks)
      }
      pending.hasEnded.leave()
    } else {
      _ = pending.hasEnded.wait(timeout: .now() + PromptProgram.seconds(until: end))
    }
    let result = pending.result.withLock { $0 }
    if let failure = result.flatMap(Self.failure(in:)) { throw failure }
    guard case .success(let answer)? = result, answer != .never else { throw Self.refusal }
  }

  /// Returns the error of an answer that could not be stored or recorded, or nil.
  private static func failure(in result: Result<Question.Answer, any Error>) -> AtRestError? {
    guard case .failure(let error as AtRestError) = result, error.code == .system else {
      return nil
    }
    return AtRestError(
      .system, "The question to the user has no result. \(error.message)", remedy: error.remedy,
      cause: error)
  }

  /// Asks for a confirmation of a single use.
  ///
  /// - Throws: ``AtRestError/Code/canceled`` or ``AtRestError/Code/interactionNotAllowed`` without
  ///   it; ``AtRestError/Code/busy`` if too many requests wait.
  func confirm(_ text: String, by prompt: Prompt) throws {
    try forOneUse("confirmation") { try prompt.confirm(text, until: $0) }
  }

  /// Asks for a secret for a single use.
  ///
  /// - Throws: ``AtRestError/Code/canceled`` or ``AtRestError/Code/interactionNotAllowed`` without
  ///   it; ``AtRestError/Code/busy`` if too many requests wait.
  func secret(_ text: String) throws -> SecretBytes {
    // Nobody is asked, so the thread that calls this may be that of all connections.
    guard prompt != .never else { throw Prompt.nobody }
    return try forOneUse("proof") { try prompt.passcode(text, until: $0) }
  }

  /// The number of passcodes that are tried for one question.
  private static let tries = 3

  /// Asks for the passcode of the store for a program, and again if it was wrong.
  ///
  /// A program for which the user was asked in vain some times is not asked for again for a while, as with other
  /// questions. A question that its program withdrew counts, because it has disturbed the user too.
  ///
  /// - Parameters:
  ///   - isWanted: Returns false when the question has no point any more. It is withdrawn then.
  ///   - isSettled: Returns true if it has none because of what somebody else did.
  ///   - use: Tries a passcode.
  /// - Throws: ``AtRestError/Code/notPermitted`` after refusals; ``AtRestError/Code/canceled``,
  ///   ``AtRestError/Code/interactionNotAllowed``; ``AtRestError/Code/busy``; the errors of the closure.
  func passcode(
    for question: Question, while isWanted: () -> Bool, isSettled: () -> Bool,
    use: (AgentSecret) throws -> Void
  ) throws {
    let end = ContinuousClock.now + patience
    guard mayAsk(question) else { throw Self.refusal }
    try state.withLock { try Self.enter(&$0, question.evidence.description) }
    defer { state.withLock { Self.leave(&$0, question.evidence.description) } }
    try inTurn(until: end, while: isWanted) {
      // Another program's question may have unlocked the store, or this program was refused meanwhile.
      guard isWanted() else { return }
      guard mayAsk(question) else { throw Self.refusal }
      func remember(_ answer: Question.Answer?) {
        state.withLock { $0.answers.remember(answer, to: question, at: .now, wasLocked: true) }
      }
      do {
        try self.passcode(question.unlockText, until: end, while: isWanted, use)
        remember(.once)
      } catch {
        if !isSettled(), (error as? AtRestError)?.code != .interactionNotAllowed {
          remember(end > .now ? .never : nil)
        }
        throw error
      }
    }
  }

  /// Returns true if no earlier answer decides a question.
  func mayAsk(_ question: Question) -> Bool {
    state.withLock { $0.answers.decision(question, at: .now) } == nil
  }

  private func passcode(
    _ text: String, until end: ContinuousClock.Instant, while isWanted: () -> Bool,
    _ use: (AgentSecret) throws -> Void
  ) throws {
    var mistake = ""
    for number in 1...Self.tries {
      let passcode = try prompt.passcode(mistake + text, until: end, while: isWanted)
      guard passcode.count > 0, isWanted() else { throw Prompt.noAnswer }
      do {
        return try use(AgentSecret(passcode))
      } catch let error as AtRestError
        where error.code == .authenticationFailed && number < Self.tries
      {
        mistake = error.message + "\n"
      }
    }
  }

  private func forOneUse<Result: ~Copyable>(
    _ kind: String, _ body: (ContinuousClock.Instant) throws -> Result
  ) throws -> Result {
    let end = ContinuousClock.now + patience
    try state.withLock { try Self.enter(&$0, kind) }
    defer { state.withLock { Self.leave(&$0, kind) } }
    return try inTurn(until: end) { try body(end) }
  }

  private func answer(
    _ question: Question, until end: ContinuousClock.Instant,
    _ store: (ContinuousClock.Instant) throws -> Void, _ asked: (String) throws -> Void
  ) throws -> Question.Answer {
    do {
      return try inTurn(until: end) {
        // The answer to a question before this one may have decided it.
        let known = state.withLock { $0.answers.decision(question, at: .now) }
        if known == .refused { throw Self.refusal }
        let answer = try prompt.answer(to: question, until: end)
        // What cannot be recorded is not stored either.
        do {
          try asked(answer.rawValue)
        } catch  where answer == .never {
          // A refusal counts without an entry.
        }
        if answer == .always { try store(end) }
        return answer
      }
    } catch {
      try? asked((error as? AtRestError)?.code.rawValue ?? AtRestError.Code.system.rawValue)
      throw error
    }
  }

  private static let refusal = AtRestError(
    .notPermitted, "The user did not allow this program to do that.",
    remedy: "Give a grant with atrest grant add.")

  private static let full = AtRestError(
    .busy, "Too many programs wait for an answer of the user.", remedy: "Try again later.")

  // MARK: Waiting

  private static func enter(_ state: inout State, _ evidence: String) throws {
    let same = state.waitingByEvidence[evidence, default: 0]
    guard state.waiting < most, same < mostOfOne else { throw full }
    state.waiting += 1
    state.waitingByEvidence[evidence] = same + 1
  }

  private static func leave(_ state: inout State, _ evidence: String) {
    state.waiting -= 1
    let same = state.waitingByEvidence[evidence, default: 1] - 1
    state.waitingByEvidence[evidence] = same == 0 ? nil : same
  }

  /// Runs a closure while nobody else asks the user.
  private func inTurn<Result: ~Copyable>(
    until end: ContinuousClock.Instant, while isWanted: () -> Bool = { true },
    _ body: () throws -> Result
  ) throws -> Result {
    let turn = DispatchSemaphore(value: 0)
    let isFree = state.withLock { state in
      guard state.isAsking else {
        state.isAsking = true
        return true
      }
      state.line.append(turn)
      return false
    }
    if !isFree, !Self.waits(for: turn, until: end, while: isWanted) {
      let wasWaiting = state.withLock { state in
        guard let index = state.line.firstIndex(where: { $0 === turn }) else { return false }
        state.line.remove(at: index)
        return true
      }
      // Otherwise it is this one's turn by now.
      guard !wasWaiting else { throw Prompt.noAnswer }
    }
    defer {
      state.withLock { state in
        if state.line.isEmpty { state.isAsking = false } else { state.line.removeFirst().signal() }
      }
    }
    return try body()
  }

  /// Waits for a turn. Returns false if it did not come in time, or before it was no longer wanted.
  private static func waits(
    for turn: DispatchSemaphore, until end: ContinuousClock.Instant, while isWanted: () -> Bool
  ) -> Bool {
    while end > .now, isWanted() {
      let pause = DispatchTimeInterval.milliseconds(Int(PromptProgram.milliseconds(until: end)))
      if turn.wait(timeout: .now() + pause) == .success { return true }
    }
    return false
  }
}
