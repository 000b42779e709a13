/// An object whose calls may wait: for a disk, a TPM, a password KDF or a user.
///
/// From a task, run such calls in the background. One closure may hold several, and its result may be
/// a secret:
///
/// ```swift
/// let names = try await vault.background { vault in
///   try vault.purge()
///   return try vault.accounts
/// }
/// ```
///
/// The calls for which a user interface waits most often have an asynchronous form of the same name:
/// `try await keychain.secret(for: key)`.
public protocol BlockingCalls: Sendable {}

extension BlockingCalls {
  /// Runs a closure on a thread of its own, so that its calls block neither the caller's actor nor a
  /// thread of Swift concurrency.
  ///
  /// The closure runs in the caller's task: it sees the cancellation and the task-local values of
  /// that task.
  ///
  /// - Throws: The error of the closure.
  @discardableResult
  public func background<Result: ~Copyable>(
    _ body: @escaping @Sendable (Self) throws -> Result
  ) async throws -> Result {
    try await offActor { try body(self) }
  }

  /// Runs a closure on a thread of its own: for calls that create an object.
  @_spi(Tools) public static func inBackground<Result: ~Copyable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await offActor(body)
  }
}
