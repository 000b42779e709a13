/// What is wrong with a file of some format, and at which byte.
public struct FormatError: Error, Hashable, CustomStringConvertible, Sendable {
  public let message: String
  /// Bytes from the start of the file.
  public let offset: Int?

  public init(_ message: String, offset: Int? = nil) {
    self.message = message
    self.offset = offset
  }

  public var description: String { offset.map { "\(message) (At byte \($0).)" } ?? message }
}
