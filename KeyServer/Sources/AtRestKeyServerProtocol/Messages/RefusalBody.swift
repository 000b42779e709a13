import AtRestCrypto
import Foundation

/// The body of an answer that refuses a request.
package struct RefusalBody: Message, Equatable {
  package var code: String
  package var message: String
  package var remedy: String
  /// The time from which on another attempt is allowed, in seconds since 1970, or 0.
  package var retryAt: UInt64

  package init(code: String, message: String, remedy: String, retryAt: UInt64 = 0) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.retryAt = retryAt
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The refusal") { reader in
      RefusalBody(
        code: try reader.text(limit: 64), message: try reader.text(limit: 512),
        remedy: try reader.text(limit: 512), retryAt: try reader.integer())
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: code)
    writer.counted(utf8: message)
    writer.counted(utf8: remedy)
    writer.integer(retryAt)
    return writer.data
  }
}

/// When another attempt is allowed. It is the `cause` of an error with the code
/// ``AtRestError/Code/throttled``.
public struct RetryTime: Error, Hashable, Sendable {
  /// The time from which on another attempt is allowed, or nil if only the operator can allow one.
  public let date: Date?

  /// Creates a time.
  public init(date: Date?) { self.date = date }
}
