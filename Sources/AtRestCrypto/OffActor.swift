import Dispatch

private let queue = DispatchQueue(label: "atrest", attributes: .concurrent)

private final class Outcome<Result: ~Copyable>: @unchecked Sendable {
  // One thread writes this before the continuation resumes, and one other thread reads it after
  // that.
  var value: Result?
  init(_ value: consuming Result) { self.value = consume value }
}

/// Runs a blocking call on a thread of its own, so that neither the caller's actor nor a thread of
/// Swift concurrency waits for it.
package func offActor<Result: ~Copyable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  let outcome: Outcome<Result> = try await withCheckedThrowingContinuation { continuation in
    queue.async {
      do {
        continuation.resume(returning: Outcome(try body()))
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
  return outcome.value.take()!
}
