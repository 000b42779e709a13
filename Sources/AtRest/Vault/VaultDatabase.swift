import AtRestCrypto
import AtRestKeychain
import Foundation
import GRDB
import Synchronization

/// An encrypted database of an account or of the device, which GRDB reads and writes.
///
/// ```swift
/// extension VaultRecord<Data> {
///   static var messages: VaultRecord { VaultRecord("messages", .message) }
/// }
/// let database = try account.database(in: .messages)
/// try database.write { try message.insert($0) }
/// let messages = try database.read { try Message.fetchAll($0) }
/// ```
///
/// Each call first checks that the account is logged in, that the record exists and has not expired,
/// and that the class of the record is unlocked. It throws the vault's errors otherwise:
/// ``AtRestError/Code/locked``, ``AtRestError/Code/loggedOut``, ``AtRestError/Code/expired``,
/// ``AtRestError/Code/notFound``, ``AtRestError/Code/wiped``.
///
/// A lock, a logout, a wipe, the removal of the record and its expiry stop the statements of closures
/// that are running, also those that begin later in the same closure. After a lock, the object is
/// usable again as soon as the class is unlocked.
///
/// Safe to use from several threads.
public final class VaultDatabase: Sendable {
  let compartment: Compartment
  let name: String
  /// The identity of the value, and the name of its file.
  let file: Data
  let accessibility: Accessibility
  private let configuration: Configuration
  private let open = Mutex<DatabaseConnections?>(nil)

  init(
    _ compartment: Compartment, _ name: String, _ head: StoredValue.Head,
    _ configuration: Configuration
  ) {
    self.compartment = compartment
    self.name = name
    self.configuration = configuration
    file = head.id
    accessibility = head.accessibility
  }

  deinit { close() }

  // MARK: Access

  /// Reads from the database, in a transaction that sees one state of it.
  ///
  /// - Throws: The vault's errors, GRDB's `DatabaseError`, and the errors of the closure.
  public func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try use { try $0.read(body) }
  }

  /// Writes to the database, in a transaction that is rolled back if the closure throws.
  ///
  /// - Throws: The vault's errors, GRDB's `DatabaseError`, and the errors of the closure.
  public func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try useToWrite { try $0.write(body) }
  }

  /// Reads from the database, off the caller's actor.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await offActor { [self] in try use { try $0.read(body) } }
  }

  /// Writes to the database, off the caller's actor.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await offActor { [self] in try useToWrite { try $0.write(body) } }
  }

  /// The connections, for GRDB's observations and migrations.
  ///
  /// A lock and everything that ends the record ends their statements, and they then throw GRDB's errors.
  /// Get the pool again after an unlock, and keep no former one: its key is in memory for as long. The pool does
  /// not check the record itself, so it does not notice a logout in another process or the expiry before the next
  /// call of this object or the next purge. Do not close it: a thread that reads from it then ends the process.
  ///
  /// - Throws: The vault's errors.
  public var pool: DatabasePool { get throws { try connections().pool } }

  private func useToWrite<Result>(_ body: (DatabasePool) throws -> Result) throws -> Result {
    let result = try use(body)
    // What was written while the store was wiped is lost.
    try compartment.keychain.keybag.checkKept()
    return result
  }

  private func use<Result>(_ body: (DatabasePool) throws -> Result) throws -> Result {
    let connections = try connections()
    do {
      return try body(connections.pool)
    } catch let error as DatabaseError where connections.isClosed {
      // The reason, if it lasts, is a better error than that of the interrupted statement.
      _ = try current()
      throw AtRestError(
        .locked, "The store was locked while the database \"\(name)\" was used.",
        remedy: "Try again.", cause: error)
    }
  }

  // MARK: Connections

  /// Ends all statements, and gives the connections up until the database is next used.
  func close() {
    let connections = open.withLock { open in
      defer { open = nil }
      return open
    }
    connections?.close()
  }

  /// Returns the value in the keychain, if the database may be used now.
  private func current() throws -> StoredValue {
    do {
      let stored = try compartment.item(name).find()
      guard stored.head.id == file else {
        throw AtRestError(
          .notFound, "The database \"\(name)\" was removed.",
          remedy: "Ask the account for its database again.")
      }
      return stored
    } catch {
      close()
      throw error
    }
  }

  private func connections() throws -> DatabaseConnections {
    try compartment.vault.checkRuntimeIfDue()
    while true {
      let locks = compartment.vault.locks
      let stored = try current()
      if stored.head.idle > 0 { _ = try compartment.item(name).spend(stored) }
      if let known = open.withLock({ $0 }) { return known }
      let new = try ValueDatabase(compartment.item(name), stored).connect(configuration)
      // Another thread may have opened the database, or the store may have been locked meanwhile.
      let chosen = open.withLock { open -> DatabaseConnections? in
        guard compartment.vault.locks == locks else { return nil }
        if open == nil { open = new }
        return open
      }
      if chosen !== new { new.close() }
      if let chosen { return chosen }
    }
  }
}
