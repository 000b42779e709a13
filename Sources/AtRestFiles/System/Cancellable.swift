import AtRestCrypto
import Foundation

/// Runs a blocking call off the caller's actor, unless the task is cancelled already: a sequence
/// that ended because its task was cancelled must not count as complete.
func cancellable<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try Task.checkCancellation()
  return try await offActor(body)
}

/// Runs a blocking call off the caller's actor. Cancelling the task cancels the progress that the
/// call is given.
///
/// - Throws: `CancellationError` if the task was cancelled; otherwise the errors of the call.
func cancellable<Result: Sendable>(
  _ progress: Progress?, _ body: @escaping @Sendable (Progress) throws -> Result
) async throws -> Result {
  let progress = progress ?? Progress(totalUnitCount: -1)
  do {
    return try await withTaskCancellationHandler {
      try await cancellable { try body(progress) }
    } onCancel: {
      progress.cancel()
    }
  } catch AtRestError.Code.canceled where Task.isCancelled {
    throw CancellationError()
  }
}
