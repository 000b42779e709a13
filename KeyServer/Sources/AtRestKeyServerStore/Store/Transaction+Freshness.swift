import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Checks that a transaction reads the present state. The state row is read with the first statements of each
/// transaction; this costs a comparison of bytes, unless the audit log has grown.
extension Transaction {
  /// Compares the state with the ledger, and applies the entries of the audit log that are new.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack`` if the log is shorter than this server has seen it, or
  ///   another one; ``AtRestError/Code/damaged``.
  func observe(_ state: Row.Sealed) throws {
    guard let ledger = store.ledger, !ledger.hasSeen(state.box) else { return }
    let seen = ledger.end
    var state = state
    var record = try StateRecord(state.opened(.state, keys))
    if record.auditNumber < seen.number {
      // Another thread may have seen a later commit before `seen` was read, but not after that.
      state = try sealedState()
      record = try StateRecord(state.opened(.state, keys))
    }
    let end = Ledger.End(number: record.auditNumber, chain: record.auditChain)
    guard record.auditNumber >= seen.number,
      record.auditNumber > seen.number || record.auditChain == seen.chain
    else { throw Self.olderDatabase(record.auditNumber, seen.number) }
    if end != seen { try apply(from: seen, to: end, ledger) }
    ledger.note(state.box, with: end)
  }

  private func apply(from seen: Ledger.End, to end: Ledger.End, _ ledger: Ledger) throws {
    var entries: [(number: UInt64, changes: [RowChange])] = []
    let chain = try store.forEachEntry(
      after: seen, upTo: end.number, { try page(.audit, after: $0) }
    ) {
      number, _, record in entries.append((number, record.changes))
    }
    guard chain == end.chain else {
      throw Self.olderDatabase(end.number, seen.number)
    }
    for change in entries.flatMap(\.changes) where change.table == .attempts {
      store.seenNumbers.forget(change.id)
    }
    ledger.apply(entries, to: end)
  }

  /// Reads the sealed state.
  func sealedState(locked: Bool = false) throws -> Row.Sealed {
    let lock = locked ? connection.lockClause : ""
    guard
      let values = try connection.run([Row.select(.state, KeyServerStore.stateID, lock: lock)])[0]
        .first
    else { throw KeyServerStore.missingState }
    return Row.Sealed(values)
  }

  /// Checks that a row is the present one.
  ///
  /// - Parameter stamp: The stamp of the row, or nil if there is none.
  /// - Throws: ``AtRestError/Code/rolledBack`` if it is not; a collision if it was changed while the
  ///   transaction ran.
  func check(_ table: Table, _ id: Data, _ stamp: Int64?) throws {
    guard table.isLogged, id != Table.lastAccountID, let ledger = store.ledger else { return }
    guard (changes.stamp(of: id) ?? ledger.stamp(table, id)) != stamp else { return }
    // Whoever changes such a row holds the lock of the state until the commit.
    try observe(sealedState(locked: true))
    let present = try connection.run(
      "SELECT stamp FROM \(table.name) WHERE id = $1", [.bytes(id)])
    guard ledger.stamp(table, id) == present.first?.first?.integer else {
      throw AtRestError(
        .rolledBack,
        "A row of \(table.name) is not the one that the audit log has: it was put back, added or removed.",
        remedy: "Find out who has access to the database. See all such tables with: "
          + "atrest-keyserver audit --quiet.")
    }
    throw DatabaseError(kind: .collision, message: "A row was changed meanwhile.")
  }

  /// Checks that a number that only rises is not lower than this server has committed it.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack``.
  func checkNumber(_ number: UInt64, of id: Data, _ what: String) throws {
    guard number < store.seenNumbers.last(id) else { return }
    // The operator may have unlocked the account.
    try observe(sealedState(locked: true))
    guard number < store.seenNumbers.last(id) else { return }
    throw AtRestError(
      .rolledBack,
      "The \(what) in the database is older than this server left it: it was put back.",
      remedy:
        "Find out who has access to the database. To accept it, unlock the account, or restart "
        + "the server.")
  }

  private static func olderDatabase(_ number: UInt64, _ seen: UInt64) -> AtRestError {
    AtRestError(
      .rolledBack,
      "The database is older than it was: its audit log ends at entry \(number), and is not the one of "
        + "which this server has seen entry \(seen).",
      remedy:
        "If it was restored from a backup, or a standby took over that lacked the last changes, "
        + "revoke again what was revoked since then, and restart the server.")
  }
}
