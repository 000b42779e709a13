import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// An entry of the audit log.
struct AuditRecord: Record {
  static let name = "An entry of the audit log"

  var event: String
  /// The code that continues the chain: over the former code, the number, the time and the event.
  var chain: Data

  init(event: String, chain: Data) {
    self.event = event
    self.chain = chain
  }

  init(reading reader: inout MessageReader) throws {
    event = try reader.text(limit: 1024)
    chain = try reader.fixed(32)
  }

  func write(to writer: inout MessageWriter) {
    writer.counted(utf8: event)
    writer.fixed(chain)
  }
}
