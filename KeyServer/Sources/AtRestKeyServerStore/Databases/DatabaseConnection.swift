import Foundation

/// A value of a statement or of a row.
package enum DatabaseValue: Sendable, Equatable {
  case integer(Int64)
  case bytes(Data)

  /// The integer, or 0 if the value is not one.
  var integer: Int64 { if case .integer(let value) = self { value } else { 0 } }
  /// The bytes, or none if the value is not bytes.
  var bytes: Data { if case .bytes(let value) = self { value } else { Data() } }
}

/// A statement with the values of its parameters.
struct Statement {
  let sql: String
  let values: [DatabaseValue]

  init(_ sql: String, _ values: [DatabaseValue] = []) {
    self.sql = sql
    self.values = values
  }
}

/// A connection to a database, used by one thread at a time.
///
/// Statements are written once for PostgreSQL and SQLite: parameters are `$1`, `$2` … in the order
/// in which they first appear.
protocol DatabaseConnection: AnyObject {
  /// Runs statements one after the other, and returns the rows of each. A server receives all of
  /// them at once. If one fails, those after it do not run.
  func run(_ statements: [Statement]) throws -> [[[DatabaseValue]]]
  /// Begins a transaction. In SQLite it also takes the lock for writing.
  var begin: Statement { get }
  /// Begins a transaction that reads one state of the database, and locks nothing.
  var beginSnapshot: Statement { get }
  /// The statement that keeps the root key from being rotated until the end of the transaction. It fails
  /// with ``DatabaseError/Kind/rotating`` while the root key is rotated. nil if `begin` does that.
  var sharedFence: Statement? { get }
  /// The statement that waits for all transactions with a shared fence, and lets no other one begin.
  var exclusiveFence: Statement? { get }
  /// Runs the last statements of a transaction, and commits it. If it throws an error that is no collision, it is
  /// unknown whether the transaction was committed.
  func commit(_ last: [Statement]) throws
  /// Rolls back what was not committed. It never throws: a connection that fails becomes unusable.
  func rollback()
  /// False once the connection was lost.
  var isUsable: Bool { get }
  /// The clause after a `SELECT` that locks its rows until the end of the transaction.
  var lockClause: String { get }
}

extension DatabaseConnection {
  func commit(_ last: [Statement]) throws { _ = try run(last + [Statement("COMMIT")]) }

  /// Runs one statement and returns its rows.
  func run(_ sql: String, _ values: [DatabaseValue] = []) throws -> [[DatabaseValue]] {
    try run([Statement(sql, values)])[0]
  }
}
