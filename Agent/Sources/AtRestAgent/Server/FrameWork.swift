/// How long the answer to a request takes.
enum FrameWork {
  /// Microseconds: the thread of the connection answers, because passing the request to another one
  /// takes longer.
  case quick
  /// Milliseconds, as a durable write does.
  case usual
  /// Seconds, as a try of a passcode does.
  case slow
}
