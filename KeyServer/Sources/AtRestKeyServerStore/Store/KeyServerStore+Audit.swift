import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The audit log. Each entry authenticates the one before it, and the state holds the last one, so
/// an entry that is changed, removed or inserted is detected.
extension KeyServerStore {
  /// An entry of the audit log.
  package struct AuditEntry: Sendable {
    package let number: UInt64
    package let time: Date
    package let event: String
  }

  /// Calls a closure with each entry, the oldest first, and checks the chain.
  ///
  /// - Returns: The number of entries and the code of the last one, which an operator can keep
  ///   elsewhere.
  /// - Throws: ``AtRestError/Code/damaged`` if the log was altered.
  package func forEachAuditEntry(_ body: (AuditEntry) throws -> Void) throws -> (UInt64, Data) {
    let state = try transaction { transaction in
      try StateRecord(transaction.sealedState().opened(.state, transaction.keys))
    }
    let start = Ledger.End(number: 0, chain: Data(count: 32))
    // The entries up to the state's are never changed, so others write meanwhile.
    let chain = try forEachEntry(
      after: start, upTo: state.auditNumber,
      { id in try transaction { try $0.page(.audit, after: id) } }
    ) { number, time, record in
      try body(
        AuditEntry(
          number: number, time: Date(timeIntervalSince1970: Double(time) / 1000),
          event: record.event))
    }
    guard chain == state.auditChain else {
      throw Self.alteredLog("Its last entry is not the one that was written.")
    }
    return (state.auditNumber, chain)
  }

  /// Calls a closure with the number, the time and the contents of each entry after one, and checks that
  /// they continue the chain.
  ///
  /// - Parameter page: Returns rows after an identifier.
  /// - Returns: The code of the last entry.
  /// - Throws: ``AtRestError/Code/damaged``.
  func forEachEntry(
    after start: Ledger.End, upTo last: UInt64, _ page: (Data) throws -> [Row],
    _ body: (UInt64, Int64, AuditRecord) throws -> Void
  ) throws -> Data {
    var (number, chain) = (start.number, start.chain)
    while number < last {
      let rows = try page(Self.auditID(number))
      guard !rows.isEmpty else {
        throw Self.alteredLog("The log ends at entry \(number), but \(last) were written.")
      }
      for row in rows where number < last {
        let record = try AuditRecord(row)
        number += 1
        chain = self.chain(chain, number, row.time, record.event, record.changes)
        guard row.id == Self.auditID(number), record.chain == chain else {
          throw Self.alteredLog("Entry \(number) does not continue the chain.")
        }
        try body(number, row.time, record)
      }
    }
    return chain
  }

  private static func alteredLog(_ message: String) -> AtRestError {
    AtRestError(
      .damaged, "The audit log was altered. \(message)",
      remedy: "Find out who has access to the database, and compare with a backup.")
  }

  static func auditID(_ number: UInt64) -> Data {
    var writer = MessageWriter()
    writer.integer(number)
    return writer.data
  }

  fileprivate func chain(
    _ former: Data, _ number: UInt64, _ time: Int64, _ event: String, _ changes: [RowChange]
  ) -> Data {
    var writer = MessageWriter()
    writer.fixed(former)
    writer.integer(number)
    writer.integer(time)
    writer.counted(utf8: event)
    for change in changes { change.write(to: &writer) }
    return keys.chain(writer.data)
  }
}

extension Transaction {
  /// Appends an event to the audit log, with the rows that were changed since the last one. Events are
  /// written one after the other, so this is only for events that are rare.
  func log(_ event: String) throws {
    let stateRow = try sealedState(locked: true).opened(.state, keys)
    var state = try StateRecord(stateRow)
    let pending = changes.take()
    for item in pending where item.change.table.isLogged {
      let (table, id) = (item.change.table, item.change.id)
      state[table].change(
        from: item.former.map { keys.digest(table, id, $0) },
        to: item.change.stamp.map { keys.digest(table, id, $0) })
    }
    let rows = pending.map(\.change)
    state.auditNumber += 1
    state.auditChain = store.chain(state.auditChain, state.auditNumber, now, event, rows)
    try insert(
      .audit, id: KeyServerStore.auditID(state.auditNumber), owner: Data(),
      contents: AuditRecord(event: event, chain: state.auditChain, changes: rows).contents)
    try update(.state, stateRow, contents: state.contents)
  }

  /// Checks that the audit log has all changes.
  func finish() throws {
    guard changes.isEmpty else {
      throw AtRestError(
        .system, "A change would not be in the audit log.",
        remedy: "Report this as a fault of the program.")
    }
  }
}
