import Foundation

/// A queue of tasks that are run on all cores, and may add further tasks. Thread-safe.
///
/// Readers recurse into nested values, so each thread has a stack that is large enough for the
/// deepest nesting.
final class WorkQueue<Task: Sendable>: @unchecked Sendable {
  /// The size of a thread's stack in address space. Unused parts take no memory.
  private static var stackSize: Int { 64 << 20 }

  // Guarded by the condition.
  private let condition = NSCondition()
  private var pending: [Task] = []
  private var running = 0

  /// Adds tasks, which are run before those that already wait.
  func add(_ tasks: [Task]) {
    condition.lock()
    pending += tasks.reversed()
    condition.broadcast()
    condition.unlock()
  }

  /// Runs all tasks, and returns when they are done.
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

/// Releases autoreleased objects of Foundation early, on platforms that have them.
private func autoreleasing(_ body: () -> Void) {
  #if canImport(ObjectiveC)
    autoreleasepool(invoking: body)
  #else
    body()
  #endif
}
