/// A status code for the caller. Calls that return a `CFError` or an `NSError` include the message.
package struct StatusError: Error {
  package let status: Int32
  package let message: String

  package init(_ status: Int32, _ message: String = "") {
    self.status = status
    self.message = message
  }

  /// An `errSecParam`: the key does not support the call, or a parameter is wrong.
  package static func parameter(_ message: String) -> StatusError { StatusError(-50, message) }
  /// An `errSecUnimplemented`: Apple has the algorithm, and this package does not.
  static func unimplemented(_ message: String) -> StatusError { StatusError(-4, message) }
  /// An `errSecVerifyFailed`.
  static func verifyFailed(_ message: String) -> StatusError { StatusError(-67808, message) }
}
