import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// An enrolment code that was not used yet. The row's identifier is derived from the code, and its
/// time is the time of expiry.
struct CodeRecord: Record {
  static let name = "An enrolment code"

  /// The identifier of the account.
  var account: Data

  init(account: Data) { self.account = account }

  init(reading reader: inout MessageReader) throws { account = try reader.fixed(32) }

  func write(to writer: inout MessageWriter) { writer.fixed(account) }
}
