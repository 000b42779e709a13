import Foundation

/// Has Ctrl-C and its like end the work in order, so that nothing half-made stays.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  static var isPending: Bool { pendingSignal != 0 }

  /// Runs a piece of work that looks at ``isPending``, then ends the process as the signal would
  /// have. What does not end within a second, or at a second signal, is ended there.
  static func ending<Result>(_ body: () throws -> Result) rethrows -> Result {
    for number in signals {
      let before = signal(number) { number in
        // Only calls that are safe in a signal handler.
        if pendingSignal != 0 { return endProcess() }
        pendingSignal = number
        alarm(1)
      }
      // Of a command in the background they are ignored.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    signal(SIGALRM) { _ in endProcess() }
    defer {
      if isPending {
        StatusLine.hidden {}
        endProcess()
      }
    }
    return try body()
  }
}

private func endProcess() {
  signal(pendingSignal, SIG_DFL)
  raise(pendingSignal)
}

// Global for the signal handler, which can reach nothing else. Written there alone.
nonisolated(unsafe) private var pendingSignal: Int32 = 0
