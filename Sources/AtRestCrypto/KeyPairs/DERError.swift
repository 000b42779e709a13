/// The reason why an encoding is not accepted, worded as part of a sentence. It shows no key
/// material.
@_spi(Tools) public struct DERError: Error {
  public let reason: String
  /// Creates the error.
  public init(_ reason: String) { self.reason = reason }
}
