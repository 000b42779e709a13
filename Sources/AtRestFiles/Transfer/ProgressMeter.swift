import AtRestCrypto
import Foundation

/// Counts bytes into a `Progress` from several threads, and checks whether it was cancelled.
final class ProgressMeter: @unchecked Sendable {
  private let progress: Progress?
  private let lock = NSLock()

  init(_ progress: Progress?) { self.progress = progress }

  /// Sets the expected number of bytes.
  func expect(_ total: UInt64) {
    guard let progress else { return }
    lock.withLock { progress.totalUnitCount = Int64(clamping: total) }
  }

  /// Counts bytes that are processed.
  func add(_ count: Int) {
    guard let progress else { return }
    lock.withLock { progress.completedUnitCount += Int64(count) }
  }

  /// Throws if the work was cancelled.
  func check() throws {
    guard let progress, progress.isCancelled else { return }
    throw AtRestError(
      .canceled, "The work was cancelled.", remedy: "Start it again. Nothing was modified.")
  }
}
