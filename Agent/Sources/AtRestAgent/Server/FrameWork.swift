/// The work of an answer, which decides about the threads that make it.
enum FrameWork {
  /// Nothing: the answer is always the same.
  case none
  /// A lock. It has a thread of its own, and waits for nothing, not even to know the program that asks.
  case lock
  /// The state of the agent. It has a thread of its own too.
  case status
  /// Microseconds: the thread of the connection answers, because passing the request to another one
  /// takes longer.
  case quick
  /// Milliseconds, as a durable write does, or the time in which the user answers a question.
  case usual
  /// A connection with other programs comes first, and then the answer as without work.
  case join
  /// The log, which takes long to read and write. There is one at a time.
  case log
  /// An answer without a bound, such as a list of items with their secrets. There is one at a time.
  case large
  /// Seconds, as a try of a passcode does.
  case slow

  /// True if the answer depends on the program that asks.
  var needsEvidence: Bool { self != .none && self != .lock }
}
