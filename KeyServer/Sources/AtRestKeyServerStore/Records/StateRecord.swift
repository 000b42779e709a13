import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The end of the audit log, which shows whether entries were removed there.
struct StateRecord: Record {
  static let name = "The state"

  /// The number of the last entry of the audit log.
  var auditNumber: UInt64 = 0
  var auditChain = Data(count: 32)

  init() {}

  init(reading reader: inout MessageReader) throws {
    auditNumber = try reader.integer()
    auditChain = try reader.fixed(32)
  }

  func write(to writer: inout MessageWriter) {
    writer.integer(auditNumber)
    writer.fixed(auditChain)
  }
}
