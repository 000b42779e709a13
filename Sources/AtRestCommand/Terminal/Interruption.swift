import Foundation

/// Has Ctrl-C and its like end the work in order, so that nothing half-made stays.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  static var isPending: Bool { pendingSignal != 0 }

  /// Runs a piece of work that looks at ``isPending``, then ends the process as the signal would
  /// have. What does not end within a second, or at a second signal, is ended there.
  static func ending<Result>(_ body: () throws -> Result) rethrows -> Result {
    try handling(secondsToEnd: 1, body)
  }

  /// Runs an attempt at the passcode. A signal ends the process once the attempt is given back, or the
  /// change under way is done; a second one ends it there, and the attempt stays counted.
  static func givingAttemptBack<Result>(_ body: () throws -> Result) rethrows -> Result {
    try handling(secondsToEnd: 0, body)
  }

  private static func handling<Result>(
    secondsToEnd seconds: UInt32, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = secondsToEnd
    secondsToEnd = seconds
    let former = outer == nil ? install() : []
    defer {
      if isPending {
        StatusLine.hidden {}
        endProcess()
      }
      secondsToEnd = outer
      for (number, handler) in former { signal(number, handler) }
    }
    return try body()
  }

  private static func install() -> [(Int32, sighandler_t?)] {
    var former: [(Int32, sighandler_t?)] = []
    for number in signals {
      let before = signal(number) { number in
        // Only calls that are safe in a signal handler.
        if pendingSignal != 0 { return endProcess() }
        pendingSignal = number
        if let seconds = secondsToEnd, seconds > 0 { alarm(seconds) }
      }
      // Of a command in the background they are ignored.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      } else {
        former.append((number, before))
      }
    }
    former.append((SIGALRM, signal(SIGALRM) { _ in endProcess() }))
    return former
  }
}

private func endProcess() {
  signal(pendingSignal, SIG_DFL)
  raise(pendingSignal)
}

// Global for the signal handler, which can reach nothing else. Written there alone.
nonisolated(unsafe) private var pendingSignal: Int32 = 0
// How long the work may go on after a signal, 0 for as long as it takes; nil while no handler is in
// place. Written before and after the work alone.
nonisolated(unsafe) private var secondsToEnd: UInt32?
