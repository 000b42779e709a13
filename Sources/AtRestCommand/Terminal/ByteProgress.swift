import Foundation
import Synchronization

/// A count of bytes that one thread increases and another shows. Ctrl-C cancels it.
final class ByteProgress: Progress, @unchecked Sendable {
  private let count = Atomic<Int64>(0)

  init() { super.init(parent: nil, userInfo: nil) }

  override var completedUnitCount: Int64 {
    get { count.load(ordering: .relaxed) }
    set { count.store(newValue, ordering: .relaxed) }
  }

  override var isCancelled: Bool {
    get { Interruption.isPending }
    // On some platforms, Foundation's property has a setter of its own.
    set {}
  }
}
