/// The reason why an audit could not be done: what happened, to what, and what to do.
public struct AuditError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// Creates an error with the sentence that is shown.
  public init(_ description: String) { self.description = description }
}
