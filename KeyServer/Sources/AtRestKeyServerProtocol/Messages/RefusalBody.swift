import AtRestCrypto
import Foundation

/// The body of an answer that refuses a request.
package struct RefusalBody: Message, Equatable {
  package var code: String
  package var message: String
  package var remedy: String
  /// The seconds after which another attempt is allowed, or 0.
  package var retryAfter: UInt64
  /// The last sequence number that the server accepted from the device, or 0. It is told only to the device.
  package var sequence: UInt64

  package init(
    code: String, message: String, remedy: String, retryAfter: UInt64 = 0, sequence: UInt64 = 0
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.retryAfter = retryAfter
    self.sequence = sequence
  }

  package init(decoding body: Data) throws {
    self = try MessageReader.read(body, name: "The refusal") { reader in
      RefusalBody(
        code: try reader.text(limit: 64), message: try reader.text(limit: 512),
        remedy: try reader.text(limit: 512), retryAfter: try reader.integer(),
        sequence: try reader.integer())
    }
  }

  package var encoded: Data {
    var writer = MessageWriter()
    writer.counted(utf8: code)
    writer.counted(utf8: message)
    writer.counted(utf8: remedy)
    writer.integer(retryAfter)
    writer.integer(sequence)
    return writer.data
  }
}

/// The last sequence number that the server accepted from a device: the cause of the error
/// ``AtRestError/Code/replayed``.
package struct LastSequence: Error, Hashable, Sendable {
  package let number: UInt64

  package init(number: UInt64) { self.number = number }
}

/// When another attempt is allowed. It is the `cause` of an error with the code
/// ``AtRestError/Code/throttled``.
public struct RetryTime: Error, Hashable, Sendable {
  /// The time from which on another attempt is allowed, or nil if only the operator can allow one.
  public let date: Date?

  /// Creates a time.
  public init(date: Date?) { self.date = date }
}
