import Foundation
import Synchronization

/// A thread that calls a closure when the store is locked in all processes. It ends with this object.
final class LockWatch: Sendable {
  private final class Shared: Sendable {
    let notice: LockNotice
    let isEnded = Atomic(false)
    init(_ notice: LockNotice) { self.notice = notice }
  }
  private let shared: Shared

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - known: The number of the notice from which on a change counts.
  ///   - body: The closure, which is called on the thread.
  init(_ notice: LockNotice, after known: UInt32?, _ body: @escaping @Sendable () -> Void) {
    let shared = Shared(notice)
    self.shared = shared
    Thread.detachNewThread {
      var known = known
      while !shared.isEnded.load(ordering: .acquiring) {
        let count = shared.notice.count
        // A file without a number was tampered with. That locks the store too.
        if count != known || count == nil { body() }
        guard let count else { return }
        known = count
        guard shared.notice.wait(after: count) else { return }
      }
    }
  }

  deinit {
    shared.isEnded.store(true, ordering: .releasing)
    shared.notice.wake()
  }
}
