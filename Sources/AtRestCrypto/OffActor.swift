import Dispatch

/// Runs a blocking call on a Dispatch thread, so that it blocks neither the caller's actor nor a
/// thread of Swift concurrency.
///
/// The call runs in the caller's task: it sees the cancellation and the task-local values of that
/// task.
package func offActor<Result: ~Copyable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  let outcome = try await withTaskExecutorPreference(BlockingExecutor.shared) {
    Outcome(try body())
  }
  return outcome.value.take()!
}

/// The result of a call on its way back to the caller.
private final class Outcome<Result: ~Copyable>: @unchecked Sendable {
  // One thread writes this value before the caller's task resumes and reads it.
  var value: Result?
  init(_ value: consuming Result) { self.value = consume value }
}

/// Runs each job on a thread of its own if necessary, because jobs block.
private final class BlockingExecutor: TaskExecutor {
  static let shared = BlockingExecutor()
  private let queue = DispatchQueue(label: "atrest", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
