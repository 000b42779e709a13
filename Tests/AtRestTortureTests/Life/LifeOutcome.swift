import Foundation

/// How a program ended.
struct LifeOutcome {
  /// The exit code, or 128 and the number of the signal.
  let status: Int32
  let output: String
  let notes: String
  /// The number of calls that changed a file, and of those that were made to fail, if it was traced.
  var calls = 0
  var failures = 0

  var isKilled: Bool { status == 128 + SIGKILL }

  /// True if something went wrong that was planned.
  var isHit: Bool { isKilled || failures > 0 }
}
