import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The keys that are derived from server keys, to open the root key with.
struct ServerKeys: Sendable {
  /// Those of the server key and, if there is one, of the next one.
  var keys: [SecretHolder]
  /// That of the server key for a database of version 1.
  let version1: SecretHolder

  init(_ serverKey: borrowing SecretBytes, next: SecretHolder?) {
    keys = [SecretHolder(serverKey.derive(.serverKey))]
    version1 = SecretHolder(serverKey.derive(.serverKeyVersion1))
    if let next { keys.append(SecretHolder(next.bytes.derive(.serverKey))) }
  }
}

/// The realm and the keys of a database, which its first row has, sealed under the server key.
struct Root: Sendable {
  let realm: Data
  private(set) var keys: RowKeys
  /// The keys as they are in the database.
  private(set) var box: Data
  /// The keys of the next server key, unless it is in use already.
  private var others: [SecretHolder]
  /// True if the database was one of version 1.
  private(set) var isMigrated = false

  private init(realm: Data, keys: RowKeys, box: Data, others: [SecretHolder]) {
    (self.realm, self.keys, self.box, self.others) = (realm, keys, box, others)
  }

  /// Reads the keys, or makes them if the database has none.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if no server key belongs to the database.
  static func open(_ database: Database, _ serverKeys: ServerKeys, time: Int64) throws -> Root {
    try database.joinedTransaction { connection, begin in
      let select = Row.select(.state, KeyServerStore.realmID, lock: connection.lockClause)
      let fence = connection.sharedFence.map { [$0] } ?? []
      let rows = try connection.run([begin] + fence + [select]).last ?? []
      guard let row = rows.first.map({ Row.Sealed($0) }) else {
        return (try make(connection, serverKeys, time: time), [])
      }
      return (try open(connection, row, serverKeys), [])
    }
  }

  private static func open(
    _ connection: any DatabaseConnection, _ row: Row.Sealed, _ serverKeys: ServerKeys
  ) throws -> Root {
    for (index, key) in serverKeys.keys.enumerated() {
      guard let keys = try RowKeys(row.box, under: key.bytes, context: row.owner) else { continue }
      return Root(
        realm: row.owner, keys: keys, box: row.box, others: Array(serverKeys.keys[(index + 1)...]))
    }
    if let former = try RowKeys(
      version1: row.box, under: serverKeys.version1.bytes, context: row.owner)
    {
      let keys = former.rotated()
      try Resealing(connection, keys).migrate(from: former)
      let box = try keys.sealed(under: serverKeys.keys[0].bytes, context: row.owner)
      try replace(connection, by: box)
      var root = Root(
        realm: row.owner, keys: keys, box: box, others: Array(serverKeys.keys.dropFirst()))
      root.isMigrated = true
      return root
    }
    throw AtRestError(
      .damaged, "The server key does not belong to this database, or the database is damaged.",
      remedy:
        "Use the server key that the database was made with, or that its root key was rotated to.")
  }

  private static func make(
    _ connection: any DatabaseConnection, _ serverKeys: ServerKeys, time: Int64
  ) throws -> Root {
    let realm = RandomBytes.data(count: Limits.identifier)
    let keys = RowKeys.random()
    let box = try keys.sealed(under: serverKeys.keys[0].bytes, context: realm)
    let inserted = try connection.run(
      """
      INSERT INTO \(Table.state.name) (\(Row.Sealed.columns)) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (id) DO NOTHING RETURNING edition
      """,
      [
        .bytes(KeyServerStore.realmID), .bytes(realm), .integer(time), .integer(1), .integer(0),
        .bytes(box),
      ])
    guard !inserted.isEmpty else {
      throw DatabaseError(kind: .collision, message: "Another server was started at the same time.")
    }
    let last = AccountRecord(account: "", policy: AccountPolicy())
    _ = try connection.run([
      Row.insert(
        .state, id: KeyServerStore.stateID, owner: Data(), contents: StateRecord().contents,
        time: time,
        keys),
      Row.insert(
        .accounts, id: Table.lastAccountID, owner: Data(), contents: last.contents, time: time, keys
      ),
    ])
    return Root(realm: realm, keys: keys, box: box, others: Array(serverKeys.keys.dropFirst()))
  }

  private static func replace(_ connection: any DatabaseConnection, by box: Data) throws {
    _ = try connection.run(
      "UPDATE \(Table.state.name) SET edition = edition + 1, sealed = $1 WHERE id = $2 RETURNING edition",
      [.bytes(box), .bytes(KeyServerStore.realmID)])
  }

  /// Goes on with the keys that the database has now, if the next server key opens them.
  ///
  /// - Throws: ``AtRestError/Code/keyServerOffline`` if it does not.
  mutating func follow(_ present: Data) throws {
    guard present != box else { return }
    for (index, key) in others.enumerated() {
      guard let keys = try RowKeys(present, under: key.bytes, context: realm) else { continue }
      (self.keys, box) = (keys, present)
      others.remove(at: index)
      return
    }
    throw AtRestError(
      .keyServerOffline, "The root key was rotated, and this server has the former server key.",
      remedy: "Restart the server with the new server key.")
  }

  /// Derives the key that seals the keys from a server key.
  static func key(of serverKey: borrowing SecretBytes) -> SecretBytes {
    serverKey.derive(.serverKey)
  }

  /// Seals everything under a new root key, and the root key under another server key.
  ///
  /// - Returns: The root as it is after the commit.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the server key is the present one;
  ///   ``AtRestError/Code/rolledBack`` if rows were put back, added or removed.
  func rotated(_ transaction: Transaction, to key: borrowing SecretBytes) throws -> Root {
    guard try RowKeys(box, under: key, context: realm) == nil else {
      throw AtRestError(
        .invalidArgument, "The database is sealed under this server key already.",
        remedy: "Make a new server key with: atrest-keyserver key create.")
    }
    let keys = keys.rotated()
    try Resealing(transaction.connection, keys).rotate(from: transaction.keys)
    let root = Root(
      realm: realm, keys: keys, box: try keys.sealed(under: key, context: realm), others: others)
    try Self.replace(transaction.connection, by: root.box)
    try Transaction(
      connection: transaction.connection, store: transaction.store, keys: keys, now: transaction.now
    ).log("root key rotated")
    return root
  }
}

extension Purpose {
  fileprivate static let serverKey = Purpose("atrest.keyserver.server-key.v2")
  fileprivate static let serverKeyVersion1 = Purpose("atrest.keyserver.server-key.v1")
}
