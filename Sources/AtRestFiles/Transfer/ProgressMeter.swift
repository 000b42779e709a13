import AtRestCrypto
import Foundation

/// Counts bytes into a `Progress` from several threads, and heeds its cancellation.
final class ProgressMeter: @unchecked Sendable {
  private let progress: Progress?
  private let lock = NSLock()

  init(_ progress: Progress?) { self.progress = progress }

  /// Says how many bytes there will be.
  func expect(_ total: UInt64) {
    guard let progress else { return }
    lock.withLock { progress.totalUnitCount = Int64(clamping: total) }
  }

  /// Counts bytes that are done.
  func add(_ count: Int) {
    guard let progress else { return }
    lock.withLock { progress.completedUnitCount += Int64(count) }
  }

  /// Throws where the work was canceled.
  func check() throws {
    guard let progress, progress.isCancelled else { return }
    throw AtRestError(
      .canceled, "It was cancelled.", remedy: "Begin again: nothing was changed.")
  }
}
