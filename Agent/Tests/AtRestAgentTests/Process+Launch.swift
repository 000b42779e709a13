import Foundation
import Synchronization

extension Process {
  private static let turn = Mutex(())

  /// Starts the process, one at a time.
  ///
  /// A process that starts at the same moment would inherit the socket by which Foundation notices the
  /// end of this one. `waitUntilExit()` would then wait for both, and for ever if the other one ends
  /// later than the test.
  func launchInTurn() throws {
    try Self.turn.withLock { _ in try run() }
  }
}
