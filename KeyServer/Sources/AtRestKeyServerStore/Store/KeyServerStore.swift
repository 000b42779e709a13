import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Synchronization

/// Accounts, devices, keys, attempts and the audit log of a key server, in a database whose rows
/// are sealed.
///
/// All calls block. Several servers can use one database. Safe to use from several threads.
package final class KeyServerStore: Sendable {
  /// The identity of this key server and its database, 16 bytes.
  package let realm: Data
  /// The rules for attempts.
  package let rules: AttemptRules
  let database: Database
  let clock: @Sendable () -> Int64
  let steadyClock: @Sendable () -> Int64
  let attemptQueue = AttemptQueue()
  let usedUpAccounts = Mutex<Set<String>>([])
  let seenNumbers = SeenNumbers()
  let root: Mutex<Root>
  private let presentLedger = Mutex<Ledger?>(nil)

  static let stateID = Data("state".utf8)
  static let realmID = Data("realm".utf8)

  /// Opens a store, and makes its tables if there are none.
  ///
  /// - Parameters:
  ///   - serverKey: The server key, 32 bytes. It seals the root key, which seals everything else.
  ///   - nextServerKey: The server key to which the root key will be rotated, or was rotated already.
  ///   - keepsLedger: True to refuse rows that were put back. This reads the identifiers of all rows, so
  ///     it is for a server. The commands of the operator end at once.
  ///   - clock: The time in milliseconds since 1970.
  ///   - steadyClock: The time by which attempts wait, in milliseconds since 1970.
  /// - Throws: ``AtRestError/Code/damaged`` if the server key does not belong to the database;
  ///   ``AtRestError/Code/rolledBack`` if rows were put back, added or removed;
  ///   ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/keyServerOffline``.
  package init(
    _ database: Database, serverKey: borrowing SecretBytes, nextServerKey: SecretHolder? = nil,
    keepsLedger: Bool = true, rules: AttemptRules = .standard,
    clock: @escaping @Sendable () -> Int64 = KeyServerStore.systemClock,
    steadyClock: @escaping @Sendable () -> Int64 = KeyServerStore.processClock
  ) throws {
    self.database = database
    self.rules = rules
    self.clock = clock
    self.steadyClock = steadyClock
    try Schema.migrate(database)
    let root = try Root.open(
      database, ServerKeys(serverKey, next: nextServerKey), time: clock())
    realm = root.realm
    self.root = Mutex(root)
    if root.isMigrated { try transaction { try $0.log("database brought to version 2") } }
    if keepsLedger {
      let ledger = try verifiedLedger()
      presentLedger.withLock { $0 = ledger }
    }
  }

  /// True if the database was one of version 1, and was brought to version 2.
  package var wasMigrated: Bool { root.withLock { $0.isMigrated } }

  /// The keys of the rows.
  var keys: RowKeys { root.withLock { $0.keys } }

  /// The database as this server has seen it, or nil in a command of the operator.
  var ledger: Ledger? { presentLedger.withLock { $0 } }

  /// The system's time in milliseconds since 1970.
  package static let systemClock: @Sendable () -> Int64 = {
    Int64(Date().timeIntervalSince1970 * 1000)
  }

  /// The time when the process began, and what has passed since then. Setting the system's clock neither
  /// shortens a wait nor prolongs it.
  package static let processClock: @Sendable () -> Int64 = {
    let (start, beginning) = (systemClock(), ContinuousClock.now)
    return { start + Int64((ContinuousClock.now - beginning) / .milliseconds(1)) }
  }()

  // MARK: Transactions

  /// Runs a closure in a transaction.
  func transaction<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
    let (result, changes) = try database.joinedTransaction { connection, begin in
      let rows = try connection.run(opening(connection, begin)).last ?? []
      let transaction = try opened(connection, rows)
      let result = try body(transaction)
      try transaction.finish()
      return ((result, transaction.changes), [])
    }
    note(changes)
    return result
  }

  /// The statements with which each transaction begins. The last one reads what ``opened(_:_:)`` needs.
  func opening(_ connection: any DatabaseConnection, _ begin: Statement) -> [Statement] {
    [begin] + (connection.sharedFence.map { [$0] } ?? []) + [Self.selectState]
  }

  static let selectState = Statement(
    "SELECT id, sealed FROM \(Table.state.name) WHERE id IN ($1, $2)",
    [.bytes(realmID), .bytes(stateID)])

  /// Checks that the database is not older than this server has seen it.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack``; ``AtRestError/Code/damaged``;
  ///   ``AtRestError/Code/keyServerOffline`` if the root key was rotated, and the server lacks the key.
  func opened(_ connection: any DatabaseConnection, _ rows: [[DatabaseValue]]) throws -> Transaction
  {
    guard let realm = rows.first(where: { $0[0].bytes == Self.realmID })?[1].bytes,
      let state = rows.first(where: { $0[0].bytes == Self.stateID })?[1].bytes
    else { throw Self.missingState }
    let keys = try root.withLock { root in
      try root.follow(realm)
      return root.keys
    }
    let transaction = Transaction(connection: connection, store: self, keys: keys, now: clock())
    // Most transactions find the box that was seen last.
    if let ledger, !ledger.hasSeen(state) { try transaction.observe(transaction.sealedState()) }
    return transaction
  }

  /// Notes changes that were committed. The server follows its own entries of the audit log at once, so the time of
  /// another request does not show that there was one.
  func note(_ changes: RowChanges) {
    for (id, number) in changes.numbers { seenNumbers.note(number, of: id) }
    if changes.isLogged, ledger != nil { try? observe() }
  }

  static let missingState = AtRestError(
    .damaged, "The state of the key server is missing.", remedy: "Restore a backup.")

  /// Reads the end of the audit log, so that the server notices soon what others have changed.
  package func observe() throws { try transaction { _ in } }

  /// The number of the last entry of the audit log that this server has seen.
  package var seenEntries: UInt64 { ledger?.end.number ?? 0 }

  /// Checks that the database answers, that it can be written, and that it is not older than this server
  /// has seen it.
  package func checkHealth() throws {
    try database.joinedTransaction { connection, begin in
      // A lock is refused by a standby, and by a server that is read-only. It does not wait for a
      // rotation of the root key.
      let version = Statement("SELECT version FROM keyserver_schema" + connection.lockClause)
      let rows = try connection.run([begin, version, Self.selectState]).last ?? []
      _ = try opened(connection, rows)
      return ((), [])
    }
  }
}
