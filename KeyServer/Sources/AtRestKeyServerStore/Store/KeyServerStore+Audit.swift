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
      guard let row = try transaction.row(.state, Self.stateID, locked: true) else {
        throw Self.alteredLog("The state is missing.")
      }
      return try StateRecord(row)
    }
    var number: UInt64 = 0
    var chain = Data(count: 32)
    while number < state.auditNumber {
      // The entries up to the state's are never changed, so others write meanwhile.
      let page = try transaction { try $0.page(.audit, after: Self.auditID(number)) }
      guard !page.isEmpty else { break }
      for row in page where number < state.auditNumber {
        let record = try AuditRecord(row)
        number += 1
        chain = self.chain(chain, number, row.time, record.event)
        guard row.id == Self.auditID(number), record.chain == chain else {
          throw Self.alteredLog("Entry \(number) does not continue the chain.")
        }
        try body(
          AuditEntry(
            number: number, time: Date(timeIntervalSince1970: Double(row.time) / 1000),
            event: record.event))
      }
    }
    guard number == state.auditNumber, chain == state.auditChain else {
      throw Self.alteredLog(
        "The log ends at entry \(number), but \(state.auditNumber) were written.")
    }
    return (number, chain)
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

  func chain(_ former: Data, _ number: UInt64, _ time: Int64, _ event: String) -> Data {
    var writer = MessageWriter()
    writer.fixed(former)
    writer.integer(number)
    writer.integer(time)
    writer.counted(utf8: event)
    return keys.chain(writer.data)
  }
}

extension Transaction {
  /// Appends an event to the audit log. Events are written one after the other, so this is only for
  /// events that are rare.
  func log(_ event: String) throws {
    guard let stateRow = try row(.state, KeyServerStore.stateID, locked: true) else {
      throw AtRestError(
        .damaged, "The state of the key server is missing.", remedy: "Restore a backup.")
    }
    var state = try StateRecord(stateRow)
    state.auditNumber += 1
    state.auditChain = store.chain(state.auditChain, state.auditNumber, now, event)
    try insert(
      .audit, id: KeyServerStore.auditID(state.auditNumber), owner: Data(),
      contents: AuditRecord(event: event, chain: state.auditChain).contents)
    try update(.state, stateRow, contents: state.contents)
  }
}
