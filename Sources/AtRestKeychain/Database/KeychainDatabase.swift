import AtRestCrypto
import AtRestKeybag
import Foundation

/// The keychain's SQLite file: rows, their index, and their transactions.
///
/// The type is `Sendable` because its state is used only while the connection's lock is held.
final class KeychainDatabase: @unchecked Sendable {
  static let fileName = "keychain.db"

  let path: String
  let keybag: Keybag
  let classKeys: ClassKeyCache
  let connection: Connection
  let anchor: KeychainAnchor
  let hashes: KeyedHashes
  private(set) var session: Session?
  /// The ``Connection/dataVersion`` at which the index was last read. 0 means that the index must
  /// be read again.
  var dataVersion: UInt32 = 0
  var schemaCookie: Int64 = 0
  private(set) var isInTransaction = false
  private var closesAfterTransaction = false
  /// The transaction that calls of other threads have left open for the ones that follow them.
  private var shared: SharedTransaction?
  private let arrivals = Arrivals()
  /// The number of calls of the last transaction, and the time that its commit took.
  private var last = (calls: 1, duration: Duration.zero)
  private let onChange: @Sendable (KeychainChange) -> Void

  // MARK: Beginning and end

  /// - Parameter connection: An open database in memory, or nil for the file beside the keybag.
  init(
    _ keybag: Keybag, _ classKeys: ClassKeyCache, connection: Connection?, opening: Opening,
    onChange: @escaping @Sendable (KeychainChange) -> Void
  ) throws {
    self.keybag = keybag
    self.classKeys = classKeys
    self.onChange = onChange
    let anchor = try KeychainAnchor(keybag)
    self.anchor = anchor
    let opened =
      try connection.map { ($0, "in memory") } ?? Self.openFile(beside: keybag, anchor, opening)
    (self.connection, path) = opened
    hashes = KeyedHashes { keybag.end ?? Self.closed(opened.1) }
    session = try prepared(opening)
    keybag.onLock { [weak self] in self?.closeIfEnded() }
  }

  /// Erases what is left in memory of a store that was wiped or replaced.
  private func closeIfEnded() {
    guard keybag.isEnded else { return }
    // The caller may hold the connection's lock, in the middle of a call.
    DispatchQueue.global(qos: .userInitiated).async { [self] in close() }
  }

  // A shared connection in memory outlives this object, so the lock is held while the statements
  // are finalized.
  deinit { connection.exclusively { session = nil } }

  /// Closes the database and erases derived keys. Later calls throw ``AtRestError/Code/locked``. A
  /// call inside a transaction takes effect at the end of the transaction.
  func close() {
    connection.exclusively {
      if isInTransaction {
        closesAfterTransaction = true
      } else {
        closeNow()
      }
    }
  }

  private func closeNow() {
    closesAfterTransaction = false
    commitShared()
    if let session, session.index.isLoaded, !keybag.isEnded { anchor.settle(session.index.head) }
    session = nil
    hashes.close()
    if keybag.storage is FolderStorage { connection.close() }
  }

  // MARK: Transactions

  /// Runs a closure that reads in one snapshot.
  func read<Result: ~Copyable>(_ body: (Session) throws -> Result) throws -> Result {
    try exclusively { session in
      if isInTransaction { return try body(session) }
      try reconcile(session)
      try session.statements.statement("BEGIN").run()
      do {
        // The snapshot begins with the first read.
        try session.statements.statement("SELECT 1 FROM node LIMIT 1").run { _ in true }
        try refresh(session)
        let result = try body(session)
        try session.statements.statement("COMMIT").run()
        return result
      } catch {
        try? session.statements.statement("ROLLBACK").run()
        throw error
      }
    }
  }

  /// Finds a row by the hash of its primary key, and calls a closure with it. Uses one statement
  /// and the index in memory.
  ///
  /// - Returns: The result of the closure, or nil if the index in memory is outdated or does not
  ///   match the row. After nil, use ``read(_:)``.
  func readFast<Result: ~Copyable>(
    _ hash: ItemHash, _ body: (IndexEntry, PreparedStatement) throws -> Result?
  ) throws -> Result? {
    try exclusively { session in
      guard !isInTransaction, let found = session.index.cachedEntry(hash.key), let entry = found
      else { return nil }
      let statement = session.selectSecret
      defer { statement.reset() }
      try statement.bind(1, entry.id)
      // The step begins a snapshot. The index is valid for the snapshot if both have the same
      // version.
      guard try statement.step(), connection.dataVersion == dataVersion,
        statement.integer(0) == Int64(bitPattern: entry.generation),
        statement.integer(1) == entry.scope, statement.integer(2) == entry.info.rawValue
      else { return nil }
      return try body(entry, statement)
    }
  }

  /// Runs a closure that writes in one durable transaction. Nested calls join the transaction.
  ///
  /// Calls of several threads share a transaction: each runs after the other and is undone by itself if it
  /// throws, and all return after the one commit. If the commit fails, each of them throws its error, because
  /// none has taken effect, and one that threw may have done so because of what another had written.
  ///
  /// - Parameter isShared: False for a closure that runs code of the caller, which may take long or wait for
  ///   another call.
  func write<Result: ~Copyable>(
    isShared: Bool = true, _ body: (Session) throws -> Result
  ) throws -> Result {
    arrivals.announce()
    var joined: SharedTransaction?
    let result = Swift.Result<Result, any Error> {
      try mapped {
        try connection.exclusively {
          arrivals.arrive()
          if isInTransaction {
            try checkTransaction()
            return try body(presentSession())
          }
          // Nobody could continue a transaction while this thread keeps the lock. A shared connection in
          // memory has several databases, and its commits cost nothing.
          let isShared =
            isShared && !connection.isNested && keybag.storage is FolderStorage
          defer { endTurn(isShared: isShared) }
          let session = try presentSession()
          try keybag.checkPresent()
          if !isShared || !matchesKeybag(session) { commitShared() }
          joined = shared
          if shared != nil { return try continueShared(session, body) }
          try reconcile(session)
          guard classKeys.set == keybag.keySet else {
            throw AtRestError(
              .locked,
              "The passcode of the store was set, but its items have not been rewrapped under the new keys yet.",
              remedy: "Unlock the store once and try again.")
          }
          let result = try inTransaction(session) {
            try begin(session)
            return try body(session)
          }
          shared = SharedTransaction()
          joined = shared
          return result
        }
      }
    }
    try joined?.wait()
    return try result.get()
  }

  private func matchesKeybag(_ session: Session) -> Bool {
    classKeys.set == keybag.keySet && session.index.head.passcodeClassID == passcodeClassID
  }

  /// Runs a closure in the shared transaction. If it throws, only its own changes are undone.
  private func continueShared<Result: ~Copyable>(
    _ session: Session, _ body: (Session) throws -> Result
  ) throws -> Result {
    isInTransaction = true
    defer { isInTransaction = false }
    let staged = session.index.staging
    let changes = session.changes.count
    do {
      try session.statements.statement("SAVEPOINT call").run()
      shared?.calls += 1
      let result = try body(session)
      try session.statements.statement("RELEASE call").run()
      return result
    } catch let cause {
      do {
        try session.statements.statement("ROLLBACK TO call").run()
        try session.statements.statement("RELEASE call").run()
        session.index.staging = staged
        session.changes.removeLast(session.changes.count - changes)
      } catch {
        // After some errors, for instance that of a full disk, SQLite has undone the whole transaction.
        rollBack(session)
        shared?.end(AtRestError.from(cause, path: path))
        shared = nil
      }
      throw cause
    }
  }

  /// Commits the shared transaction, unless another call is about to continue it.
  private func endTurn(isShared: Bool) {
    defer { if closesAfterTransaction { closeNow() } }
    guard isShared, let shared, !shared.isFull else { return commitShared() }
    // The calls of the last transaction may have returned just now, and be on their way again. The time of
    // a commit during which the machine slept says nothing.
    let patience =
      shared.calls < last.calls ? min(last.duration / 8, SharedTransaction.patience) : .zero
    if !arrivals.wait(for: patience) { commitShared() }
  }

  /// Commits the shared transaction if there is one, and tells its calls the result.
  private func commitShared() {
    guard let transaction = shared, let session else { return }
    shared = nil
    let start = ContinuousClock.now
    do {
      try mapped { try inTransaction(session) { try commit(session) } }
    } catch {
      return transaction.end(AtRestError.from(error, path: path))
    }
    last = (transaction.calls, ContinuousClock.now - start)
    anchor.raise(to: session.index.head, durably: false)
    let changes = session.changes
    session.changes = []
    changes.forEach(onChange)
    transaction.end()
  }

  /// Runs a closure in a transaction of its own.
  func transaction<Result: ~Copyable>(
    _ session: Session, isFirst: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    try inTransaction(session) {
      try begin(session, isFirst: isFirst)
      let result = try body()
      try commit(session)
      return result
    }
  }

  private func begin(_ session: Session, isFirst: Bool = false) throws {
    try session.statements.statement("BEGIN IMMEDIATE").run()
    if !isFirst { try refresh(session) }
    session.index.begin()
  }

  /// Checks that SQLite has not undone the transaction, as it does after some errors, which the caller's code
  /// may have caught. What follows would be stored without it.
  private func checkTransaction() throws {
    guard connection.hasTransaction else {
      throw AtRestError(
        .system, "A call in the transaction failed, and with it the transaction in \(path).",
        remedy: "Check the permissions and the free space of its disk.")
    }
  }

  private func commit(_ session: Session) throws {
    try checkTransaction()
    try session.index.flush()
    try session.statements.statement("COMMIT").run()
    session.index.didCommit()
    dataVersion = connection.dataVersion
    classKeys.set = UInt32(truncatingIfNeeded: session.index.head.keySet)
    // The file may have been removed before the commit: what was written to it is lost.
    try keybag.checkKept()
  }

  /// Runs a part of a transaction, which is undone if the closure throws.
  private func inTransaction<Result: ~Copyable>(
    _ session: Session, _ body: () throws -> Result
  ) throws -> Result {
    isInTransaction = true
    defer { isInTransaction = false }
    do {
      return try body()
    } catch {
      rollBack(session)
      throw error
    }
  }

  private func rollBack(_ session: Session) {
    try? session.statements.statement("ROLLBACK").run()
    session.changes = []
    session.index.rollBack()
  }

  private func presentSession() throws -> Session {
    try keybag.checkPresent(reading: true)
    guard let session else { throw Self.closed(path) }
    return session
  }

  private static func closed(_ path: String) -> AtRestError {
    AtRestError(.locked, "The keychain \(path) is closed.", remedy: "Open it again.")
  }

  private func refresh(_ session: Session) throws {
    let version = connection.dataVersion
    guard version != dataVersion else { return }
    let cookie = try KeychainSchema.cookie(session.statements)
    if cookie != schemaCookie {
      try KeychainSchema.check(session.statements, path: path)
      schemaCookie = cookie
    }
    try session.index.refresh()
    classKeys.set = UInt32(truncatingIfNeeded: session.index.head.keySet)
    dataVersion = version
    anchor.raise(to: session.index.head, durably: false)
    try keybag.refresh()
    onChange(KeychainChange(kind: .external, reference: nil))
  }

  /// Truncates the journal, so that the files no longer contain deleted data.
  func compact() throws { try exclusively { _ in try connection.truncateJournal() } }

  /// Runs a closure with the lock held and the database open, if the store is still in its place.
  ///
  /// Every use of the database passes here, so this is where a wipe by another process is noticed.
  func exclusively<Result: ~Copyable>(_ body: (Session) throws -> Result) throws -> Result {
    try mapped {
      try connection.exclusively {
        // Only what is durable is read.
        if !isInTransaction { commitShared() }
        return try body(presentSession())
      }
    }
  }

  func mapped<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let prompt as PendingPrompt {
      throw prompt
    } catch let error as CallersError {
      throw error
    } catch {
      throw AtRestError.from(error, path: path)
    }
  }
}
