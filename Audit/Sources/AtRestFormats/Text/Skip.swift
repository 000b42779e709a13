/// A part of a file, or a whole file, that could not be read and was left out of the audit.
public struct Skip: Hashable, Sendable {
  public let path: String
  public let line: Int?
  public let reason: String

  public init(path: String, line: Int? = nil, reason: String) {
    self.path = path
    self.line = line
    self.reason = reason
  }
}
