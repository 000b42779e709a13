@_spi(Tools) import AtRestKeychain

/// The answers of the user, as long as they count.
///
/// A refusal concerns a program and an access group, whatever item the next request is about. A program
/// that is refused again and again is not asked about for a while, and each time for twice as long.
struct RememberedAnswers {
  enum Decision {
    case allowed
    case refused
  }

  /// The number of answers that are remembered about one program, and of programs. The oldest is forgotten
  /// for a new one: then it is asked again.
  static let mostOfOne = 64
  static let mostPrograms = 64
  /// The time for which a question is not repeated after nobody answered it.
  static let pause = Duration.seconds(60)
  /// The number of refusals in a row after which a program is not asked about for a while.
  static let patience = 3
  private static let longestPause = Duration.seconds(3600)

  private struct Program {
    /// The questions that were allowed until the lock, the oldest first.
    var allowed: [Question] = []
    /// The groups that are refused until the agent ends, the oldest first.
    var refused: [Question.Scope] = []
    /// Questions that nobody answered, and when they may be asked again, the oldest first.
    var unanswered: [(question: Question, end: ContinuousClock.Instant)] = []
    var refusals = 0
    var pauseEnd: ContinuousClock.Instant?
    var lastUse: UInt64 = 0
  }

  private var programs: [AgentEvidence: Program] = [:]
  private var uses: UInt64 = 0

  /// Returns what earlier answers say, or nil if the user is to be asked.
  func decision(_ question: Question, at now: ContinuousClock.Instant) -> Decision? {
    guard let program = programs[question.evidence] else { return nil }
    let isRefused = question.scopes.contains { scope in
      var reading = scope
      reading.isForWriting = false
      // Whoever may not read may not change either.
      return program.refused.contains(scope) || program.refused.contains(reading)
    }
    if isRefused { return .refused }
    if program.allowed.contains(question) { return .allowed }
    if let end = program.pauseEnd, end > now { return .refused }
    return program.unanswered.contains { $0.question == question && $0.end > now } ? .refused : nil
  }

  /// Remembers an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer, or nil if there was none.
  ///   - wasLocked: True if the store was locked since the question was asked.
  mutating func remember(
    _ answer: Question.Answer?, to question: Question, at now: ContinuousClock.Instant,
    wasLocked: Bool
  ) {
    makeRoom(for: question.evidence)
    uses += 1
    var program = programs[question.evidence] ?? Program()
    defer { programs[question.evidence] = program }
    program.lastUse = uses
    program.unanswered.removeAll { $0.end <= now }
    switch answer {
    case .once?, .always?: program.refusals = 0
    case .session?:
      program.refusals = 0
      if !wasLocked { program.allowed.append(question) }
    case .never?: program.refused += question.scopes
    case nil: program.unanswered.append((question, now + Self.pause))
    }
    if answer == nil || answer == .never { refuse(&program, at: now) }
    program.allowed = program.allowed.suffix(Self.mostOfOne)
    program.refused = program.refused.suffix(Self.mostOfOne)
    program.unanswered = program.unanswered.suffix(Self.mostOfOne)
  }

  private func refuse(_ program: inout Program, at now: ContinuousClock.Instant) {
    program.refusals += 1
    let beyond = program.refusals - Self.patience
    guard beyond >= 0 else { return }
    program.pauseEnd = now + min(Self.longestPause, Self.pause * (1 << min(beyond, 10)))
  }

  private mutating func makeRoom(for evidence: AgentEvidence) {
    guard programs[evidence] == nil, programs.count >= Self.mostPrograms,
      let oldest = programs.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    programs[oldest.key] = nil
  }

  /// Forgets what was allowed until the lock.
  mutating func storeWasLocked() {
    for evidence in programs.keys { programs[evidence]!.allowed = [] }
  }
}
