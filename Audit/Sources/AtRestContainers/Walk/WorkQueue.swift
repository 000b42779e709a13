import Foundation

/// Tasks that are done on all cores, and of which each may add further ones. Thread-safe.
///
/// Readers go down into nested values, so each thread has a stack that the deepest fits in.
final class WorkQueue<Task: Sendable>: @unchecked Sendable {
  /// Of address space: what is not reached takes no memory.
  private static var stackSize: Int { 64 << 20 }

  // Guarded by the condition.
  private let condition = NSCondition()
  private var pending: [Task] = []
  private var running = 0

  /// Adds tasks, which are done before those that wait already.
  func add(_ tasks: [Task]) {
    condition.lock()
    pending += tasks.reversed()
    condition.broadcast()
    condition.unlock()
  }

  /// Returns when all are done.
  func run(_ body: @escaping @Sendable (Task) -> Void) {
    let done = DispatchGroup()
    for _ in 0..<max(ProcessInfo.processInfo.activeProcessorCount, 1) {
      done.enter()
      let thread = Thread {
        while let task = self.next() {
          autoreleasing { body(task) }
          self.finish()
        }
        done.leave()
      }
      thread.stackSize = Self.stackSize
      thread.start()
    }
    done.wait()
  }

  private func next() -> Task? {
    condition.lock()
    defer { condition.unlock() }
    while pending.isEmpty, running > 0 { condition.wait() }
    guard let task = pending.popLast() else { return nil }
    running += 1
    return task
  }

  private func finish() {
    condition.lock()
    running -= 1
    if running == 0 { condition.broadcast() }
    condition.unlock()
  }
}

/// Frees what Foundation keeps until later, where it does.
private func autoreleasing(_ body: () -> Void) {
  #if canImport(ObjectiveC)
    autoreleasepool(invoking: body)
  #else
    body()
  #endif
}
