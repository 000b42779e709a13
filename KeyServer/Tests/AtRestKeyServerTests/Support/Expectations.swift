import AtRestCrypto
import Testing

/// Expects that a closure throws an `AtRestError` with a code, and returns the error.
@discardableResult
func expectError<Result: ~Copyable>(
  _ code: AtRestError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) -> AtRestError? {
  do {
    _ = try body()
    Issue.record("Nothing was thrown instead of \(code).", sourceLocation: sourceLocation)
  } catch let error as AtRestError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}

/// Expects that a closure throws an `AtRestError` with a code, and returns the error.
@discardableResult
func expectError<Result: ~Copyable>(
  _ code: AtRestError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Result
) async -> AtRestError? {
  do {
    _ = try await body()
    Issue.record("Nothing was thrown instead of \(code).", sourceLocation: sourceLocation)
  } catch let error as AtRestError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}
