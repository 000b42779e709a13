/// Limits the work that one question about an expression can cause, because code can be recursive
/// and names can refer to each other.
///
/// An instance belongs to one pass, and so to one thread.
final class Effort {
  /// The maximum depth of nested questions. Each takes a few hundred bytes of stack, so that all of
  /// them fit into the stack of a thread.
  private static let deepest = 60
  /// The maximum number of questions that are asked to answer one question.
  private static let most = 4000

  private var level = 0
  private var steps = 0

  /// Answers a question, or returns nil if a limit is reached.
  func ask<Answer>(_ answer: () -> Answer?) -> Answer? {
    if level == 0 { steps = 0 }
    guard level < Self.deepest, steps < Self.most else { return nil }
    level += 1
    steps += 1
    defer { level -= 1 }
    return answer()
  }
}
