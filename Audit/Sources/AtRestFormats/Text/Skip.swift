/// A file, or a part of one, that could not be read and is missing from the audit.
public struct Skip: Hashable, Sendable {
  public let path: String
  public let line: Int?
  public let reason: String

  /// Creates a skip.
  public init(path: String, line: Int? = nil, reason: String) {
    self.path = path
    self.line = line
    self.reason = reason
  }
}
