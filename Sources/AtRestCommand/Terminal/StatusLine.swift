import Foundation

/// A line at the bottom of the terminal that is redrawn repeatedly, and makes way for other output.
enum StatusLine {
  private static let lock = NSRecursiveLock()
  // Protected by the lock.
  nonisolated(unsafe) private static var isShown = false
  nonisolated(unsafe) private static var hidden = Duration.zero

  /// The total time for which the line was hidden so far, for example by a prompt.
  static var hiddenTime: Duration {
    lock.lock()
    defer { lock.unlock() }
    return hidden
  }

  /// Redraws the line.
  static func show(_ text: String) {
    lock.lock()
    defer { lock.unlock() }
    isShown = true
    draw("\r\(text)\u{1B}[K")
  }

  /// Runs a closure while the line is hidden. The line reappears when ``show(_:)`` is next called.
  static func hidden<Result: ~Copyable>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    if isShown { draw("\r\u{1B}[K") }
    isShown = false
    let began = ContinuousClock.now
    defer { hidden += ContinuousClock.now - began }
    return try body()
  }

  private static func draw(_ text: String) {
    StandardStream.errors.write(text)
  }
}
