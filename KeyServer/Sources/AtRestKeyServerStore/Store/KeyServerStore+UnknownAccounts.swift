import AtRestKeyServerProtocol
import Foundation

/// Attempts at accounts that do not exist, or that the caller may not use.
extension KeyServerStore {
  /// Removes attempts that are answered with a decoy, unless they are among the newest.
  ///
  /// Anyone can name accounts that do not exist, and each of them needs a row. Rows of attempts at
  /// real keys are never removed. A row is not removed because of its age: a name whose attempts
  /// came back would be shown not to exist.
  ///
  /// - Parameter number: The newest rows that are kept, whether they are those of decoys or not.
  package func pruneUnknownAccounts(keeping number: Int = 100_000) throws {
    var kept = number
    let page = 500
    while true {
      let (count, deleted) = try transaction { transaction in
        let rows = try transaction.connection.run(
          """
          SELECT \(Row.Sealed.columns) FROM \(Table.attempts.name)
          ORDER BY time DESC, id LIMIT \(page) OFFSET $1
          """, [.integer(Int64(kept))]
        ).map { Row.Sealed($0) }
        // A damaged row keeps no others.
        let decoys = rows.filter {
          (try? AttemptsRecord($0.opened(.attempts, keys)))?.isDecoy == true
        }
        for row in decoys { try transaction.delete(.attempts, row.id) }
        return (rows.count, decoys.count)
      }
      guard count == page else { return }
      kept += count - deleted
    }
  }
}
