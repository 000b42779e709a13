import Foundation

/// Lets Ctrl-C and similar signals end the work cleanly, so that nothing is left half-finished.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  static var isPending: Bool { pendingSignal != 0 }

  /// Runs a closure that checks ``isPending``. After a signal, the process ends as the signal
  /// demands, once the closure returns. If the closure does not return within a second, or if a
  /// second signal arrives, the process ends at once.
  static func ending<Result>(_ body: () throws -> Result) rethrows -> Result {
    try handling(secondsToEnd: 1, body)
  }

  /// Runs a closure that tries a passcode. After a signal, the process ends once the attempt has
  /// been removed from the count of failed attempts, or the running change is finished. A second
  /// signal ends the process at once, and the attempt stays counted.
  static func givingAttemptBack<Result>(_ body: () throws -> Result) rethrows -> Result {
    try handling(secondsToEnd: 0, body)
  }

  /// Runs a closure that another one can stop. After a signal, a thread calls that one until the first closure has
  /// returned, and then the process ends; at once if there is nothing to stop yet. Further signals change nothing, so
  /// that nobody who presses Ctrl-C twice leaves something behind.
  ///
  /// - Parameter stop: Returns false if nothing was begun.
  static func stopping<Result>(
    _ stop: @escaping @Sendable () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    try handling(secondsToEnd: 0, endsAtSecond: false) {
      let isOver = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        while isOver.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
          if isPending, !stop() { endProcess() }
        }
      }
      defer { isOver.signal() }
      return try body()
    }
  }

  private static func handling<Result>(
    secondsToEnd seconds: UInt32, endsAtSecond: Bool = true, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = (secondsToEnd, endsAtSecondSignal)
    (secondsToEnd, endsAtSecondSignal) = (seconds, endsAtSecond)
    let former = outer.0 == nil ? install() : []
    defer {
      if isPending {
        StatusLine.hidden {}
        endProcess()
      }
      (secondsToEnd, endsAtSecondSignal) = outer
      for (number, handler) in former { signal(number, handler) }
    }
    return try body()
  }

  private static func install() -> [(Int32, sighandler_t?)] {
    var former: [(Int32, sighandler_t?)] = []
    for number in signals {
      let before = signal(number) { number in
        // Only calls that are safe in a signal handler are allowed here.
        guard pendingSignal == 0 else {
          if endsAtSecondSignal { endProcess() }
          return
        }
        pendingSignal = number
        if let seconds = secondsToEnd, seconds > 0 { alarm(seconds) }
      }
      // Signals that are ignored, as in a background command, stay ignored.
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

// Global because a signal handler can access nothing else. Only the handler writes it.
nonisolated(unsafe) private var pendingSignal: Int32 = 0
// The time in seconds that the work may continue after a signal; 0 means unlimited, and nil that no
// handler is installed. The value is written only before and after the work.
nonisolated(unsafe) private var secondsToEnd: UInt32?
// False while a second signal changes nothing.
nonisolated(unsafe) private var endsAtSecondSignal = true
