import AtRestKeyServerProtocol
import Foundation

/// Attempts at accounts that do not exist, or that the caller may not use.
extension KeyServerStore {
  /// Removes the oldest attempts that are answered with a decoy, until a number of accounts is left.
  ///
  /// Anyone can name accounts that do not exist, and each of them needs a row. Rows of attempts at
  /// real keys are never removed. A row is not removed because of its age: a name whose attempts
  /// came back would be shown not to exist.
  package func pruneUnknownAccounts(keeping number: Int = 100_000) throws {
    try transaction { transaction in
      _ = try transaction.connection.run(
        """
        DELETE FROM \(Table.attempts.name) WHERE owner = $1 AND id IN (
          SELECT id FROM \(Table.attempts.name) WHERE owner = $1
          ORDER BY time DESC, id LIMIT 1000000 OFFSET $2)
        RETURNING edition
        """, [.bytes(decoyOwner), .integer(Int64(number))])
    }
  }
}
