import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// A change of a row, as the audit log has it.
struct RowChange: Sendable {
  let table: Table
  let id: Data
  /// The stamp of the row after the change, or nil if it was removed.
  let stamp: Int64?

  init(_ table: Table, _ id: Data, stamp: Int64?) {
    self.table = table
    self.id = id
    self.stamp = stamp
  }

  init(reading reader: inout MessageReader) throws {
    guard let table = Table(code: try reader.integer()) else {
      throw AtRestError(damaged: "A change is one of an unknown table.")
    }
    self.table = table
    id = try reader.counted(limit: 64)
    stamp = try reader.flag() ? try reader.integer() : nil
  }

  func write(to writer: inout MessageWriter) {
    writer.integer(table.code)
    writer.counted(id)
    writer.integer(UInt8(stamp == nil ? 0 : 1))
    if let stamp { writer.integer(stamp) }
  }
}

/// The rows that a transaction has changed.
final class RowChanges {
  /// A change with the stamp of the row before it, or nil if there was none.
  struct Pending {
    let change: RowChange
    let former: Int64?
  }

  private var pending: [Pending] = []
  private var stamps: [Data: Int64?] = [:]
  /// Numbers that only rise, to be noted in ``SeenNumbers`` after the commit.
  private(set) var numbers: [(id: Data, number: UInt64)] = []

  /// True if the audit log has an entry of this transaction.
  private(set) var isLogged = false

  var isEmpty: Bool { pending.isEmpty }

  func add(_ table: Table, _ id: Data, former: Int64?, stamp: Int64?) {
    pending.append(Pending(change: RowChange(table, id, stamp: stamp), former: former))
    stamps[id] = .some(stamp)
  }

  /// Notes that attempts were forgotten, which is no reason for an alarm.
  func addForgotten(attempts id: Data) {
    pending.append(Pending(change: RowChange(.attempts, id, stamp: nil), former: nil))
  }

  func add(number: UInt64, of id: Data) { numbers.append((id, number)) }

  /// The stamp that this transaction gave a row: nil if it did not change it, and an inner nil if it
  /// removed it.
  func stamp(of id: Data) -> Int64?? { stamps[id] }

  /// Returns the changes since the last call.
  func take() -> [Pending] {
    defer { (pending, isLogged) = ([], true) }
    return pending
  }
}
