import Synchronization

/// The memory for messages of one direction, of all connections together.
///
/// Without it, clients that send half messages or read no answers could each make the agent hold as
/// much as the largest message.
final class Budget: Sendable {
  private struct State {
    var used = 0
    var usedBy: [Holder.Program: Int] = [:]
  }

  private let most: Int
  private let mostOfOne: Int
  private let divisor: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - most: The bytes of all.
  ///   - mostOfOne: The bytes of one program. Something larger is only held while there is nothing else.
  ///   - divisor: The part of what others leave that a program may take: 4 for a quarter. However many programs hold
  ///     bytes for as long as they like, there is a rest for the next one.
  init(most: Int, mostOfOne: Int, divisor: Int = 1) {
    (self.most, self.mostOfOne, self.divisor) = (most, mostOfOne, divisor)
  }

  /// The number of bytes that are held.
  var used: Int { state.withLock { $0.used } }

  /// Takes bytes. Returns false if there are not as many for this holder.
  func take(_ count: Int, for holder: Holder) -> Bool {
    state.withLock { state in
      let own = state.usedBy[holder.program, default: 0]
      let left = (most - (state.used - own)) / divisor
      guard state.used == 0 || own + count <= min(left, mostOfOne) else { return false }
      state.used += count
      state.usedBy[holder.program] = own + count
      return true
    }
  }

  /// Takes bytes for as long as the result exists. Returns nil if there are not as many for this holder.
  func hold(_ count: Int, for holder: Holder) -> Held? {
    take(count, for: holder) ? Held(self, count, holder) : nil
  }

  /// Bytes that are given back when the last reference to this object is released.
  final class Held: Sendable {
    private let budget: Budget
    private let count: Int
    private let holder: Holder

    fileprivate init(_ budget: Budget, _ count: Int, _ holder: Holder) {
      (self.budget, self.count, self.holder) = (budget, count, holder)
    }

    deinit { budget.give(count, for: holder) }
  }

  /// Gives bytes back.
  func give(_ count: Int, for holder: Holder) {
    state.withLock { state in
      state.used -= count
      let own = state.usedBy[holder.program, default: count] - count
      state.usedBy[holder.program] = own > 0 ? own : nil
    }
  }
}
