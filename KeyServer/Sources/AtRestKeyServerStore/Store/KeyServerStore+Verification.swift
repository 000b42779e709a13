import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The digests of the tables, which show rows that were put back, added or removed.
extension KeyServerStore {
  /// Compares the rows of all tables whose changes are in the audit log with the digests that the server
  /// keeps of them. It locks nothing.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack``; ``AtRestError/Code/damaged``.
  package func verifyTables() throws { _ = try verifiedLedger() }

  /// Returns a ledger of the database as it is.
  func verifiedLedger() throws -> Ledger {
    try database.snapshot { connection in
      let transaction = Transaction(connection: connection, store: self, keys: keys, now: clock())
      let state = try StateRecord(transaction.sealedState().opened(.state, keys))
      var rows: [(table: Table, id: Data, stamp: Int64)] = []
      var altered: [String] = []
      for table in Table.logged {
        let digest = try transaction.digest(of: table) { rows.append((table, $0, $1)) }
        guard !digest.hasSameRows(as: state[table]) else { continue }
        altered.append(
          "\(table.name) (\(digest.count) rows, \(state[table].count) were written)")
      }
      guard altered.isEmpty else {
        throw AtRestError(
          .rolledBack,
          "Rows were put back, added or removed in: \(altered.joined(separator: ", ")).",
          remedy:
            "Find out who has access to the database. Revoke again what was revoked, and accept "
            + "the tables with: atrest-keyserver accept-older.")
      }
      return Ledger(Ledger.End(number: state.auditNumber, chain: state.auditChain), rows)
    }
  }

  /// Takes the rows of the tables as they are, with an entry in the audit log.
  package func acceptTables() throws {
    try transaction { transaction in
      let row = try transaction.sealedState(locked: true).opened(.state, transaction.keys)
      var state = try StateRecord(row)
      for table in Table.logged {
        state[table].accept(try transaction.digest(of: table) { _, _ in })
      }
      try transaction.update(.state, row, contents: state.contents)
      try transaction.log("database accepted as it is, perhaps an older one")
    }
  }
}

extension Transaction {
  /// Returns the digest of the rows of a table, and calls a closure with the identifier and the stamp of
  /// each.
  func digest(of table: Table, _ body: (Data, Int64) throws -> Void) throws -> TableDigest {
    var digest = TableDigest()
    var last = Data()
    let page = 5000
    while true {
      let rows = try connection.run(
        "SELECT id, stamp FROM \(table.name) WHERE id > $1 ORDER BY id LIMIT \(page)",
        [.bytes(last)])
      for row in rows where row[0].bytes != Table.lastAccountID {
        digest.add(keys.digest(table, row[0].bytes, row[1].integer))
        try body(row[0].bytes, row[1].integer)
      }
      guard rows.count == page, let end = rows.last else { return digest }
      last = end[0].bytes
    }
  }
}
