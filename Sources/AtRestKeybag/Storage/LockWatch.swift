import CAtRestSystem
import Foundation
import Synchronization

/// A thread that calls a closure at the start, after each event of the store that is announced to all
/// processes, and every minute. It ends with this object.
final class LockWatch: Sendable {
  private final class Shared: Sendable {
    let notice: LockNotice
    let isEnded = Atomic(false)
    init(_ notice: LockNotice) { self.notice = notice }
  }
  private let shared: Shared

  var notice: LockNotice { shared.notice }

  /// Starts the thread.
  ///
  /// - Parameter body: The closure, which is called on the thread.
  init(_ notice: LockNotice, _ body: @escaping @Sendable () -> Void) {
    let shared = Shared(notice)
    self.shared = shared
    Thread.detachNewThread {
      atrest_prefer_latency()
      while !shared.isEnded.load(ordering: .acquiring) {
        // The number is read first: an event that is announced from here on ends the wait.
        let count = shared.notice.count
        body()
        guard let count else {
          // Somebody truncated the file, which locks the store. It gets its size back.
          if !shared.notice.restore() { sleep(1) }
          continue
        }
        guard shared.notice.wait(after: count) else { return }
      }
    }
  }

  deinit {
    shared.isEnded.store(true, ordering: .releasing)
    shared.notice.wake()
  }
}
