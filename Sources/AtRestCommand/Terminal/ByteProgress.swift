import Foundation
import Synchronization

/// A count of bytes that one thread increases and another shows. Ctrl-C cancels the progress.
final class ByteProgress: Progress, @unchecked Sendable {
  private let count = Atomic<Int64>(0)

  init() { super.init(parent: nil, userInfo: nil) }

  override var completedUnitCount: Int64 {
    get { count.load(ordering: .relaxed) }
    set { count.store(newValue, ordering: .relaxed) }
  }

  override var isCancelled: Bool {
    get { Interruption.isPending }
    // Required because Foundation's property has a setter on some platforms.
    set {}
  }
}
