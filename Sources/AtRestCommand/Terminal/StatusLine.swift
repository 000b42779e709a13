import Foundation

/// A line at the bottom of the terminal that is drawn over and over, and gets out of the way of
/// everything else that is written there.
enum StatusLine {
  private static let lock = NSRecursiveLock()
  // Under the lock.
  nonisolated(unsafe) private static var isShown = false
  nonisolated(unsafe) private static var hidden = Duration.zero

  /// How long it was away so far, as for a prompt.
  static var hiddenTime: Duration {
    lock.lock()
    defer { lock.unlock() }
    return hidden
  }

  /// Draws the line anew.
  static func show(_ text: String) {
    lock.lock()
    defer { lock.unlock() }
    isShown = true
    draw("\r\(text)\u{1B}[K")
  }

  /// Runs while the line is away; it comes back when it is next shown.
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
