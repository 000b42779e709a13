import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The end of the audit log and the digests of the tables. They show whether entries were removed at
/// the end, and whether rows were put back.
struct StateRecord: Record {
  static let name = "The state"

  /// The number of the last entry of the audit log.
  var auditNumber: UInt64 = 0
  var auditChain = Data(count: 32)
  /// The digests of ``Table/logged``.
  private var digests: [Table: TableDigest] = [:]

  init() {}

  subscript(table: Table) -> TableDigest {
    get { digests[table] ?? TableDigest() }
    set { digests[table] = newValue }
  }

  init(reading reader: inout MessageReader) throws {
    auditNumber = try reader.integer()
    auditChain = try reader.fixed(32)
    for table in Table.logged { digests[table] = try TableDigest(reading: &reader) }
  }

  func write(to writer: inout MessageWriter) {
    writer.integer(auditNumber)
    writer.fixed(auditChain)
    for table in Table.logged { self[table].write(to: &writer) }
  }
}
