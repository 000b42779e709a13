/// How far one question may lead: code may call itself, and a name stand for what stands for it.
///
/// Belongs to one pass, so to one thread.
final class Effort {
  /// Questions within questions. Each takes some hundred bytes of stack, all of them less than a thread has.
  private static let deepest = 60
  /// Questions that one question leads to, in all.
  private static let most = 4000

  private var level = 0
  private var steps = 0

  /// Answers a question, unless it leads too far: nothing is known then.
  func ask<Answer>(_ answer: () -> Answer?) -> Answer? {
    if level == 0 { steps = 0 }
    guard level < Self.deepest, steps < Self.most else { return nil }
    level += 1
    steps += 1
    defer { level -= 1 }
    return answer()
  }
}
