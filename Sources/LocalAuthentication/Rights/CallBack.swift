/// Calls a closure with the error of an operation, or with nil if it succeeds.
func callBack(
  _ handler: @escaping @Sendable ((any Error)?) -> Void,
  _ operation: @escaping @Sendable () async throws -> Void
) {
  Task {
    do {
      try await operation()
      handler(nil)
    } catch {
      handler(error)
    }
  }
}

/// Calls a closure with the result of an operation, or with its error.
func callBack<Result: Sendable>(
  _ handler: @escaping @Sendable (Result?, (any Error)?) -> Void,
  _ operation: @escaping @Sendable () async throws -> Result
) {
  Task {
    do {
      handler(try await operation(), nil)
    } catch {
      handler(nil, error)
    }
  }
}
