import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Synchronization

/// A database with a pool of blocking connections. Safe to use from several threads.
package final class Database: Sendable {
  /// Where a database is.
  package enum Place: Sendable {
    /// A connection string of libpq.
    case postgreSQL(String)
    /// A file of SQLite.
    case embedded(path: String)
  }

  // A connection is used by the thread that took it out of the pool, and by no other.
  private struct Idle: @unchecked Sendable {
    var connections: [any DatabaseConnection] = []
  }

  /// The time in which a database has to answer, unless another one is given.
  package static let answerTime = Duration.seconds(15)

  private let place: Place
  private let answerTime: Duration
  private let idle = Mutex(Idle())
  private let attempts = 5

  /// Refers to a database. A connection is made when it is first needed, and again after it was
  /// lost.
  ///
  /// - Parameter answerTime: The time in which PostgreSQL has to answer each statement. It waits for locks for
  ///   two thirds of it.
  package init(_ place: Place, answerTime: Duration = Database.answerTime) {
    self.place = place
    self.answerTime = answerTime
  }

  /// Runs a closure in a transaction, and returns when its changes are durable.
  ///
  /// A transaction that collided with another one is repeated, so the closure must have no effect
  /// outside the database. A transaction whose connection was lost before the commit is repeated
  /// once on a new connection. If the connection is lost during the commit, it is unknown whether
  /// the changes were made, and the call throws.
  ///
  /// - Throws: ``AtRestError/Code/keyServerOffline``; ``AtRestError/Code/busy``; the closure's
  ///   errors.
  func transaction<Result>(_ body: (any DatabaseConnection) throws -> Result) throws -> Result {
    try joinedTransaction { connection, begin in
      _ = try connection.run([begin])
      return (try body(connection), [])
    }
  }

  /// Runs a closure that only reads, and sees one state of the database. It locks nothing.
  func snapshot<Result>(_ body: (any DatabaseConnection) throws -> Result) throws -> Result {
    try joinedTransaction { connection, _ in
      _ = try connection.run([connection.beginSnapshot])
      return (try body(connection), [])
    }
  }

  /// Runs a closure that begins the transaction itself, with its first statements, and returns the
  /// last ones, which are sent together with the commit. The remaining rules are those of
  /// `transaction(_:)`.
  func joinedTransaction<Result>(
    _ body: (any DatabaseConnection, Statement) throws -> (Result, [Statement])
  ) throws -> Result {
    var lastError = DatabaseError(kind: .offline, message: "no connection")
    for attempt in 0..<attempts {
      do {
        let connection = try take()
        defer { put(connection) }
        let result: Result
        let last: [Statement]
        do {
          (result, last) = try body(connection, connection.begin)
        } catch {
          if connection.isUsable { connection.rollback() }
          throw error
        }
        do {
          try connection.commit(last)
        } catch let error as DatabaseError where error.kind != .collision {
          if connection.isUsable { connection.rollback() }
          if error.kind == .offline { forgetConnections() }
          throw error.asAtRestError
        } catch {
          connection.rollback()
          throw error
        }
        return result
      } catch let error as DatabaseError {
        lastError = error
        switch error.kind {
        case .collision: continue
        case .offline where attempt == 0:
          forgetConnections()
        default: throw error.asAtRestError
        }
      }
    }
    throw lastError.asAtRestError
  }

  /// Forgets the pool's connections, which are probably lost too if one of them was.
  private func forgetConnections() { idle.withLock { $0.connections.removeAll() } }

  private func take() throws -> any DatabaseConnection {
    let pooled = idle.withLock { Idle(connections: $0.connections.popLast().map { [$0] } ?? []) }
    if let connection = pooled.connections.first { return connection }
    switch place {
    case .postgreSQL(let settings):
      return try PostgreSQLConnection(settings, answerTime: answerTime)
    case .embedded(let path): return try SQLiteConnection(path: path)
    }
  }

  private func put(_ connection: any DatabaseConnection) {
    guard connection.isUsable else { return }
    let returned = Idle(connections: [connection])
    idle.withLock { $0.connections += returned.connections }
  }
}
