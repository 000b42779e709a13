import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// An entry of the audit log.
struct AuditRecord: Record {
  static let name = "An entry of the audit log"

  var event: String
  /// The code that continues the chain: over the former code, the number, the time, the event and the
  /// changes.
  var chain: Data
  /// The rows that were changed with it, so that the servers know which rows are the present ones.
  var changes: [RowChange]

  init(event: String, chain: Data, changes: [RowChange] = []) {
    self.event = event
    self.chain = chain
    self.changes = changes
  }

  init(reading reader: inout MessageReader) throws {
    event = try reader.text(limit: 1024)
    chain = try reader.fixed(32)
    let count = Int(try reader.integer(UInt32.self))
    changes = []
    for _ in 0..<count { changes.append(try RowChange(reading: &reader)) }
  }

  func write(to writer: inout MessageWriter) {
    writer.counted(utf8: event)
    writer.fixed(chain)
    writer.integer(UInt32(changes.count))
    for change in changes { change.write(to: &writer) }
  }
}
