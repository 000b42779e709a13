/// An error in a file of some format, with the offset of the byte at fault.
public struct FormatError: Error, Hashable, CustomStringConvertible, Sendable {
  public let message: String
  /// The offset in bytes from the start of the file.
  public let offset: Int?

  /// Creates an error.
  public init(_ message: String, offset: Int? = nil) {
    self.message = message
    self.offset = offset
  }

  public var description: String { offset.map { "\(message) (At byte \($0).)" } ?? message }
}
