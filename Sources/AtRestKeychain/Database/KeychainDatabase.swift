import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation
import GRDB
import GRDBSQLite
import Logging
import Synchronization

/// The keychain's SQLite file: rows, index terms and generation tree, and their transactions.
///
/// All state is used on the queue alone, which is what makes the type `Sendable`.
final class KeychainDatabase: @unchecked Sendable {
  static let fileName = "keychain.db"

  let path: String
  let keybag: Keybag
  private let queue: DatabaseQueue
  private let counterKey: SecretBox
  // Used off the queue too.
  private let lookup = Mutex<HMAC<SHA256>?>(nil)
  /// The hashes of the groups met so far; they are few, and every item has one.
  private var scopes: [String: Int64] = [:]
  private var session: Session?
  private var treeVersion: UInt32 = 0
  private(set) var isInTransaction = false
  private let onChange: @Sendable (KeychainChange) -> Void

  /// What one connection holds.
  final class Session {
    let tree: GenerationTree
    let selectByHash: PreparedStatement
    /// As `selectByHash` without the columns that a secret alone does not need, which SQLite would
    /// copy.
    let selectSecret: PreparedStatement
    let selectByID: PreparedStatement
    let insert: PreparedStatement
    let delete: PreparedStatement
    let insertTerm: PreparedStatement
    let deleteTerm: PreparedStatement
    let database: Database
    /// Told when the transaction is durable.
    var changes: [KeychainChange] = []
    private var others: [String: PreparedStatement] = [:]

    init(_ database: Database, tree: GenerationTree) throws {
      self.database = database
      self.tree = tree
      selectByHash = try PreparedStatement(
        database, "SELECT \(ItemRow.columns) FROM item WHERE hash = ?")
      selectSecret = try PreparedStatement(
        database,
        "SELECT id, NULL, generation, scope, info, key, NULL, secret FROM item WHERE hash = ?")
      selectByID = try PreparedStatement(
        database, "SELECT \(ItemRow.columns) FROM item WHERE id = ?")
      insert = try PreparedStatement(
        database, "INSERT OR REPLACE INTO item (\(ItemRow.columns)) VALUES (?,?,?,?,?,?,?,?)")
      delete = try PreparedStatement(database, "DELETE FROM item WHERE id = ?")
      insertTerm = try PreparedStatement(
        database, "INSERT OR IGNORE INTO term (hash, id) VALUES (?, ?)")
      deleteTerm = try PreparedStatement(database, "DELETE FROM term WHERE hash = ? AND id = ?")
    }

    func statement(_ sql: String) throws -> PreparedStatement {
      if let known = others[sql] { return known }
      let statement = try PreparedStatement(database, sql)
      others[sql] = statement
      return statement
    }
  }

  // MARK: Opening

  /// What is made of a database that is not as the device remembers it.
  enum Opening {
    /// It is refused.
    case normal
    /// An older one is accepted.
    case acceptingOlder
    /// The rows are accepted as they stand, whatever the tree says.
    case rebuilding
  }

  /// - Parameter queue: An open database in memory, or nil for the file beside the keybag.
  init(
    _ keybag: Keybag, queue: DatabaseQueue?, opening: Opening,
    onChange: @escaping @Sendable (KeychainChange) -> Void
  ) throws {
    self.keybag = keybag
    self.onChange = onChange
    counterKey = SecretBox(try keybag.counterKey())
    if let queue {
      self.queue = queue
      path = "in memory"
    } else {
      guard let storage = keybag.storage as? FolderStorage else {
        throw AtRestError.invalid(
          "The keybag has no folder.", remedy: "Open the keychain in memory.")
      }
      path = storage.path(Self.fileName)
      self.queue = try Self.open(path)
    }
    try mapped {
      // One process at a time makes the tables and the first root.
      try keybag.storage.exclusively {
        // Read before the database, so that another process's writes in between cannot look like
        // a rollback.
        let seen = opening == .normal ? try keybag.counter() : try? keybag.counter()
        let migrator = Self.migrator
        if try self.queue.read({ try migrator.hasBeenSuperseded($0) }) {
          throw AtRestError(
            .unsupportedVersion, "The keychain \(path) was made by a later version.",
            remedy: "Use that version.")
        }
        try migrator.migrate(self.queue)
        try self.queue.inDatabase {
          try prepare($0, seen: seen, opening: opening)
        }
      }
    }
  }

  private static func open(_ path: String) throws -> DatabaseQueue {
    // SQLite gives the journal the permissions of the file, so the file is made first.
    let file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw SystemCall.error("open", path) }
    Foundation.close(file)
    do {
      // atrest:ignore grdb-unencrypted every row is sealed under its class key
      return try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw AtRestError.from(error, path: path)
    }
  }

  static func inMemory() throws -> DatabaseQueue {
    try DatabaseQueue(configuration: configuration)
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    configuration.prepareDatabase { database in
      for pragma in [
        "journal_mode = WAL", "synchronous = FULL", "secure_delete = ON",
        "cache_size = -262144", "temp_store = MEMORY", "trusted_schema = OFF",
        "cell_size_check = ON",
      ] {
        try database.execute(sql: "PRAGMA \(pragma)")
      }
    }
    return configuration
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(
        sql: """
          CREATE TABLE item (
            id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, generation INTEGER NOT NULL,
            scope INTEGER NOT NULL, info INTEGER NOT NULL, key BLOB NOT NULL, metadata BLOB NOT NULL, secret BLOB NOT NULL);
          CREATE TABLE term (
            hash INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (hash, id)) WITHOUT ROWID;
          CREATE TABLE node (id INTEGER PRIMARY KEY, box BLOB NOT NULL);
          """)
    }
    return migrator
  }

  private func prepare(
    _ database: Database, seen: UInt64?, opening: Opening
  ) throws {
    let lookupKey = try keybag.derive(.lookup, from: .alwaysThisDeviceOnly)
    let keyed = HMAC<SHA256>(key: lookupKey.symmetricKey())
    lookup.withLock { $0 = keyed }
    let tree = try GenerationTree(
      key: SecretBox(try keybag.derive(.generationTree, from: .alwaysThisDeviceOnly)),
      select: PreparedStatement(database, "SELECT box FROM node WHERE id = ?"),
      upsert: PreparedStatement(
        database, "INSERT OR REPLACE INTO node (id, box) VALUES (?, ?)"),
      path: path)
    let session = try Session(database, tree: tree)
    self.session = session

    let isEmpty = try session.isEmpty()
    if isEmpty {
      if let seen, seen > 0, opening == .normal {
        throw AtRestError(
          .rolledBack,
          "The keychain \(path) is empty or missing, and the device remembers \(seen) changes.",
          remedy: "Put the file back, or accept the loss: atrest restore --accept-older.")
      }
      try transaction(session) {
        tree.reset(counter: (seen ?? 0) + 1)
        tree.passcodeClassID = keybag.keyID(of: .whenPasscodeSetThisDeviceOnly) ?? 0
      }
      try keybag.setCounter(tree.counter, key: counterKey.bytes, durably: true)
      return
    }
    if opening == .rebuilding {
      // The caller goes on to rebuild; until then nothing is vouched for.
      tree.reset(counter: seen ?? 0)
      return
    }
    try tree.refresh()
    treeVersion = dataVersion(database)
    if opening == .acceptingOlder {
      Keychain.logger.notice("Accepted an older keychain", metadata: ["path": "\(path)"])
      // Generations that the discarded future gave out are not given out again.
      try transaction(session) { tree.skip(to: max(tree.counter, seen ?? 0) + 1024) }
      try keybag.setCounter(tree.counter, key: counterKey.bytes, durably: true)
    } else if let seen {
      guard tree.counter >= seen else {
        throw AtRestError(
          .rolledBack,
          "The keychain \(path) was put back to change \(tree.counter); the device remembers "
            + "\(seen).",
          remedy: "If you put it back yourself, accept it: atrest restore --accept-older.")
      }
    } else {
      throw AtRestError(
        .rolledBack, "The device does not remember the keychain \(path).",
        remedy: "If you put it there yourself, accept it: atrest restore --accept-older.")
    }
    try reconcile(session)
  }

  /// Ends the use of the file and forgets derived keys; later calls throw.
  func close() {
    queue.unsafeReentrantWrite { _ in
      session = nil
      lookup.withLock { $0 = nil }
      scopes = [:]
    }
    try? queue.close()
  }

  /// Removes the file and its journal, which nothing can read any more, so that a new store may take
  /// their place.
  func removeFiles() {
    guard keybag.storage is FolderStorage else { return }
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
  }

  // MARK: Transactions

  /// Reads in one snapshot.
  func read<Result: ~Copyable>(_ body: (Session) throws -> Result) throws -> Result {
    var result: Result?
    try mapped {
      try queue.unsafeReentrantWrite { database in
        let session = try open()
        if isInTransaction {
          result = try body(session)
          return
        }
        try reconcile(session)
        try session.statement("BEGIN").run()
        do {
          // The snapshot begins with the first read.
          try session.statement("SELECT 1 FROM node LIMIT 1").run { _ in true }
          try refresh(session, database)
          result = try body(session)
          try session.statement("COMMIT").run()
        } catch {
          try? session.statement("ROLLBACK").run()
          throw error
        }
      }
    }
    return result.take()!
  }

  /// Reads one row by hash with one statement; does nothing where the cached tree cannot vouch for
  /// it, and ``read(_:)`` has to.
  func readFast(_ hash: Data, _ body: (PreparedStatement) throws -> Void) throws {
    try mapped {
      try queue.unsafeReentrantWrite { database in
        let session = try open()
        let statement = session.selectSecret
        defer { statement.reset() }
        try statement.bind(1, .blob(hash))
        guard try statement.step(), !isInTransaction, dataVersion(database) == treeVersion,
          case .some(let known) = session.tree.cachedGeneration(of: ItemRow.treeHash(hash)),
          known == UInt64(bitPattern: statement.integer(2))
        else { return }
        try body(statement)
      }
    }
  }

  /// Writes in one durable transaction; nested uses join it.
  func write<Result: ~Copyable>(_ body: (Session) throws -> Result) throws -> Result {
    var result: Result?
    try mapped {
      try queue.unsafeReentrantWrite { _ in
        let session = try open()
        if isInTransaction {
          result = try body(session)
          return
        }
        try reconcile(session)
        try transaction(session) { result = try body(session) }
        try keybag.setCounter(session.tree.counter, key: counterKey.bytes, durably: false)
        session.changes.forEach(onChange)
        session.changes = []
      }
    }
    return result.take()!
  }

  private func transaction(_ session: Session, _ body: () throws -> Void) throws {
    try session.statement("BEGIN IMMEDIATE").run()
    isInTransaction = true
    defer { isInTransaction = false }
    do {
      if try session.tree.isDurable || !session.isEmpty() {
        try refresh(session, session.database)
      }
      try body()
      try session.tree.flush()
      try session.statement("COMMIT").run()
      session.tree.didCommit()
      treeVersion = dataVersion(session.database)
    } catch {
      try? session.statement("ROLLBACK").run()
      session.changes = []
      // The tree is read anew, whatever state the failure left it in.
      treeVersion = 0
      if session.tree.isDurable { try? session.tree.rollBack() }
      throw error
    }
  }

  private func open() throws -> Session {
    guard let session else {
      throw AtRestError(
        .locked, "The keychain \(path) is closed.", remedy: "Open it again.")
    }
    return session
  }

  private func dataVersion(_ database: Database) -> UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(
      database.sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  private func refresh(_ session: Session, _ database: Database) throws {
    let version = dataVersion(database)
    guard version != treeVersion else { return }
    try session.tree.refresh()
    let isFirst = treeVersion == 0
    treeVersion = version
    if !isFirst {
      try keybag.refresh()
      onChange(KeychainChange(kind: .external, reference: nil))
    }
  }

  /// Deletes what was stored when-passcode-set under a class key that is gone.
  private func reconcile(_ session: Session) throws {
    func present() -> UInt64 { keybag.keyID(of: .whenPasscodeSetThisDeviceOnly) ?? 0 }
    guard session.tree.passcodeClassID != present(), !isInTransaction else { return }
    try transaction(session) {
      // Asked again: the transaction's beginning may have read what another process changed.
      let present = present()
      let former = session.tree.passcodeClassID
      guard former != present else { return }
      if former != 0 {
        var rows: [ItemRow] = []
        let number = Int64(KeyClass.whenPasscodeSetThisDeviceOnly.rawValue)
        try session.statement(
          "SELECT \(ItemRow.columns) FROM item WHERE (info >> 8) & 255 = ?"
        ).run(.integer(number)) { statement in
          rows.append(try ItemRow(statement))
          return true
        }
        for row in rows { try session.remove(row, terms: []) }
        Keychain.logger.notice(
          "Deleted what was stored when-passcode-set", metadata: ["items": "\(rows.count)"])
        try session.removeStaleTerms()
      }
      session.tree.passcodeClassID = present
    }
    try keybag.setCounter(session.tree.counter, key: counterKey.bytes, durably: false)
  }

  /// Makes the generation tree and the index anew from the rows as they stand.
  func rebuild(terms: (ItemRow) -> [Int64]) throws -> Int {
    var count = 0
    try mapped {
      try queue.unsafeReentrantWrite { database in
        let session = try open()
        try session.statement("BEGIN IMMEDIATE").run()
        do {
          try session.statement("REINDEX").run()
          var highest = max(session.tree.counter, (try? keybag.counter()) ?? 0)
          var rows: [(hash: UInt64, generation: UInt64)] = []
          let all = try session.statement("SELECT \(ItemRow.columns) FROM item")
          try all.run { statement in
            let hash = ItemRow.treeHash(statement.data(1))
            let generation = UInt64(bitPattern: statement.integer(2))
            rows.append((hash, generation))
            // A generation out of all proportion is damage, and would end the counter.
            if generation < highest + 1 << 40 { highest = max(highest, generation) }
            if let row = try? ItemRow(statement) {
              for term in terms(row) {
                try session.insertTerm.run(.integer(term), .integer(row.id))
              }
            }
            return true
          }
          session.tree.reset(counter: highest + 1024)
          try session.statement("DELETE FROM node").run()
          for row in rows { try session.tree.set(row.hash, to: row.generation) }
          session.tree.passcodeClassID = keybag.keyID(of: .whenPasscodeSetThisDeviceOnly) ?? 0
          try session.removeStaleTerms()
          try session.tree.flush()
          try session.statement("COMMIT").run()
          count = rows.count
        } catch {
          try? session.statement("ROLLBACK").run()
          treeVersion = 0
          try? session.tree.rollBack()
          throw error
        }
        treeVersion = dataVersion(database)
        try keybag.setCounter(session.tree.counter, key: counterKey.bytes, durably: true)
        Keychain.logger.notice(
          "Made the generation tree anew", metadata: ["path": "\(path)", "items": "\(count)"])
      }
    }
    return count
  }

  /// Empties the free pages and the journal, so that what was deleted is gone from the files.
  func compact() throws {
    try mapped {
      try queue.unsafeReentrantWrite { _ in
        _ = try open().database.checkpoint(.truncate)
      }
    }
  }

  private func mapped(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let prompt as PendingPrompt {
      throw prompt
    } catch let error as CallersError {
      throw error
    } catch {
      throw AtRestError.from(error, path: path)
    }
  }

  // MARK: Hashes

  /// The keyed hash of a primary key in a group, 16 bytes.
  func hash(_ key: PrimaryKey, in group: String) throws -> Data {
    try keyedHash(key.encoded(in: group))
  }

  /// The keyed hash of an attribute, for the index.
  func term(_ itemClass: ItemClass, _ attribute: Attribute, _ value: AttributeValue) throws
    -> Int64
  {
    var writer = ByteWriter(capacity: 64)
    writer.integer(itemClass.number | 0x80)
    writer.fixed(utf8: attribute.rawValue)
    writer.fixed(value.comparisonBytes)
    return try keyedNumber(writer.bytes)
  }

  /// The keyed hash of an access group, for the index.
  func scope(_ group: String) throws -> Int64 {
    if let known = scopes[group] { return known }
    let scope = try keyedNumber([0xff] + Array(group.utf8))
    scopes[group] = scope
    return scope
  }

  private func keyedHash(_ message: [UInt8]) throws -> Data {
    try authenticationCode(message).withUnsafeBytes {
      Data(UnsafeRawBufferPointer(rebasing: $0[..<16]))
    }
  }

  /// The first eight bytes of the keyed hash as a number.
  private func keyedNumber(_ message: [UInt8]) throws -> Int64 {
    try authenticationCode(message).withUnsafeBytes {
      Int64(bigEndian: $0.loadUnaligned(as: Int64.self))
    }
  }

  private func authenticationCode(_ message: [UInt8]) throws -> HMAC<SHA256>.MAC {
    guard var code = lookup.withLock({ $0 }) else {
      throw AtRestError(.locked, "The keychain \(path) is closed.", remedy: "Open it again.")
    }
    code.update(data: message)
    return code.finalize()
  }
}

extension KeychainDatabase.Session {
  fileprivate func isEmpty() throws -> Bool {
    var isEmpty = true
    try statement("SELECT 1 FROM node LIMIT 1").run { _ in
      isEmpty = false
      return false
    }
    guard isEmpty else { return false }
    // Items without a tree are no new keychain.
    try statement("SELECT 1 FROM item LIMIT 1").run { _ in
      isEmpty = false
      return false
    }
    return isEmpty
  }

  func row(hash: Data) throws -> ItemRow? {
    var row: ItemRow?
    try selectByHash.run(.blob(hash)) { statement in
      row = try ItemRow(statement)
      return false
    }
    return row
  }

  func row(id: Int64) throws -> ItemRow? {
    var row: ItemRow?
    try selectByID.run(.integer(id)) { statement in
      row = try ItemRow(statement)
      return false
    }
    return row
  }

  /// How many rows there are, which ought to be what the tree says.
  func rowCount() throws -> Int {
    var count = 0
    try statement("SELECT COUNT(*) FROM item").run { statement in
      count = Int(statement.integer(0))
      return false
    }
    return count
  }

  /// Writes a row and its generation.
  func write(_ row: ItemRow) throws {
    try insert.run(
      .integer(row.id), .blob(row.hash), .integer(Int64(bitPattern: row.generation)),
      .integer(row.scope), .integer(row.info), .blob(row.wrappedKey), .blob(row.metadata),
      .blob(row.secret))
    try tree.set(row.treeHash, to: row.generation)
  }

  /// Removes a row and its generation, and the terms that could be told from it. Others are left
  /// behind: no row will ever have its number again.
  func remove(_ row: ItemRow, terms: [Int64]) throws {
    for term in terms { try deleteTerm.run(.integer(term), .integer(row.id)) }
    try delete.run(.integer(row.id))
    try tree.set(row.treeHash, to: nil)
  }

  /// The hash of a row that cannot be parsed.
  func hash(id: Int64) throws -> Data? {
    var hash: Data?
    try statement("SELECT hash FROM item WHERE id = ?").run(.integer(id)) { statement in
      hash = statement.data(0)
      return false
    }
    return hash
  }

  /// Removes what lies under a hash, though it cannot be parsed.
  func removeUnreadable(_ hash: Data) throws {
    try statement("DELETE FROM item WHERE hash = ?").run(.blob(hash))
    try tree.set(ItemRow.treeHash(hash), to: nil)
  }

  func removeStaleTerms() throws {
    try statement("DELETE FROM term WHERE id NOT IN (SELECT id FROM item)").run()
  }
}
