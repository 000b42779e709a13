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
  let keys: RowKeys
  let clock: @Sendable () -> Int64
  let steadyClock: @Sendable () -> Int64
  let attemptQueue = AttemptQueue()
  let usedUpAccounts = Mutex<Set<String>>([])

  static let stateID = Data("state".utf8)
  static let realmID = Data("realm".utf8)

  /// Opens a store, and makes its tables if there are none.
  ///
  /// - Parameters:
  ///   - serverKey: The server key, 32 bytes. It seals the root key, which seals everything else.
  ///   - clock: The time in milliseconds since 1970.
  ///   - steadyClock: The time by which attempts wait, in milliseconds since 1970.
  /// - Throws: ``AtRestError/Code/damaged`` if the server key does not belong to the database;
  ///   ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/keyServerOffline``.
  package init(
    _ database: Database, serverKey: borrowing SecretBytes, rules: AttemptRules = .standard,
    clock: @escaping @Sendable () -> Int64 = KeyServerStore.systemClock,
    steadyClock: @escaping @Sendable () -> Int64 = KeyServerStore.processClock
  ) throws {
    self.database = database
    self.rules = rules
    self.clock = clock
    self.steadyClock = steadyClock
    try Schema.migrate(database)
    let time = clock()
    // The closure may run more than once, and borrowed keys cannot be captured.
    let copy = SecretHolder(serverKey.duplicate())
    let (realm, root) = try database.transaction { connection in
      try Self.root(connection, copy.bytes, time: time)
    }
    self.realm = realm
    keys = RowKeys(root.bytes.duplicate())
    try transaction { transaction in
      try transaction.insert(
        .state, id: Self.stateID, owner: Data(), contents: StateRecord().contents)
      try transaction.insert(
        .accounts, id: Self.lastAccountID, owner: Data(),
        contents: AccountRecord(account: "", policy: AccountPolicy()).contents)
    }
  }

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

  /// Runs a closure in a transaction.
  func transaction<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
    try database.transaction { connection in
      try body(Transaction(connection: connection, store: self, now: clock()))
    }
  }

  /// Checks that the database answers, and that it can be written.
  package func checkHealth() throws {
    try transaction { transaction in
      // A lock is refused by a standby, and by a server that is read-only.
      _ = try transaction.connection.run(
        "SELECT version FROM keyserver_schema" + transaction.connection.lockClause)
    }
  }

  // MARK: The root key

  private static func root(
    _ connection: any DatabaseConnection, _ serverKey: borrowing SecretBytes, time: Int64
  ) throws -> (Data, SecretHolder) {
    let select =
      "SELECT owner, time, sealed FROM \(Table.state.name) WHERE id = $1" + connection.lockClause
    if let row = try connection.run(select, [.bytes(realmID)]).first {
      let realm = row[0].bytes
      do {
        let root = try SealingKey(serverKey.derive(.serverKey))
          .open(row[2].bytes, context: realm, name: "The root key")
        return (realm, SecretHolder(root))
      } catch {
        throw AtRestError(
          .damaged, "The server key does not belong to this database, or the database is damaged.",
          remedy: "Use the server key that the database was made with.")
      }
    }
    let realm = RandomBytes.data(count: Limits.identifier)
    let root = SecretBytes.random(count: 32)
    let sealed = try SealingKey(serverKey.derive(.serverKey)).seal(root, context: realm)
    let inserted = try connection.run(
      """
      INSERT INTO \(Table.state.name) (id, owner, time, edition, sealed)
      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING RETURNING edition
      """,
      [.bytes(realmID), .bytes(realm), .integer(time), .integer(1), .bytes(sealed)])
    guard !inserted.isEmpty else {
      throw DatabaseError(kind: .collision, message: "Another server was started at the same time.")
    }
    return (realm, SecretHolder(root))
  }

  /// Seals the root key under another server key. All rows stay as they are.
  package func replaceServerKey(with serverKey: borrowing SecretBytes) throws {
    let sealed = try keys.sealRoot(under: SealingKey(serverKey.derive(.serverKey)), context: realm)
    try transaction { transaction in
      _ = try transaction.connection.run(
        "UPDATE \(Table.state.name) SET sealed = $1 WHERE id = $2 RETURNING edition",
        [.bytes(sealed), .bytes(Self.realmID)])
      try transaction.log("server-key replaced")
    }
  }
}

extension Purpose {
  fileprivate static let serverKey = Purpose("atrest.keyserver.server-key.v1")
}
