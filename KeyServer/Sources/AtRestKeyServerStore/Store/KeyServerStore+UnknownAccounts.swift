import AtRestKeyServerProtocol
import Foundation

/// Attempts at accounts that do not exist, or that the caller may not use.
extension KeyServerStore {
  /// Removes rows of attempts that are answered with a decoy, unless they are among the newest.
  ///
  /// Anyone can name accounts that do not exist, and each of them needs a row. Rows of attempts at
  /// real keys are never removed. A row is not removed because of its age: a name whose attempts
  /// came back would be shown not to exist.
  ///
  /// - Parameter number: The newest rows that are kept, of decoys and of accounts.
  package func pruneUnknownAccounts(keeping number: Int = 100_000) throws {
    let oldest = try transaction { transaction in
      try transaction.connection.run(
        "SELECT time FROM \(Table.attempts.name) ORDER BY time DESC LIMIT 1 OFFSET $1",
        [.integer(Int64(number - 1))]
      ).first?.first?.integer
    }
    guard let oldest else { return }
    let page = 500
    var last = Data()
    while true {
      let rows = try transaction { transaction in
        let rows = try transaction.connection.run(
          """
          SELECT \(Row.Sealed.columns) FROM \(Table.attempts.name)
          WHERE id > $1 AND time < $2 ORDER BY id LIMIT \(page)
          """, [.bytes(last), .integer(oldest)]
        ).map { Row.Sealed($0) }
        for row in rows {
          // A damaged row does not prevent the others from being removed.
          let record = try? AttemptsRecord(row.opened(.attempts, transaction.keys))
          if record?.isDecoy == true { try transaction.delete(.attempts, row.id) }
        }
        return rows
      }
      guard rows.count == page, let end = rows.last else { return }
      last = end.id
    }
  }
}
