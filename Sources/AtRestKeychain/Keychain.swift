import AtRestCrypto
import AtRestKeybag
import Foundation
import Logging

/// A keychain in one SQLite file: secrets with attributes, under the rules of the iOS keychain.
///
/// ```swift
/// let keybag = try Keybag.open(at: folder, device: FileDeviceKey())
/// try keybag.unlock(passcode: passcode)
/// let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
///
/// let token = PrimaryKey.genericPassword(service: "com.example.api", account: "eva")
/// try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
/// let secret = try keychain.secret(for: token)
/// ```
///
/// The calls that take or return secrets also have an asynchronous form of the same name, which
/// `try await` selects. From a task, run other calls with `background(_:)`.
///
/// Four refusals are never confused: ``AtRestError/Code/notFound``, ``AtRestError/Code/locked``,
/// ``AtRestError/Code/notPermitted`` (and its finer codes), ``AtRestError/Code/damaged``. Data that
/// a call has written survives power loss once the call returns.
///
/// Safe to use from several threads, and from several processes on one store. Calls of several threads
/// that write at the same time share a commit.
public final class Keychain: BlockingCalls {
  /// The store, for ``backend`` and ``directly(_:_:)`` alone: a call that reaches it in another way
  /// forgets the agent.
  private let store: StoreBackend
  /// The way to an agent that serves the store, or nil if the store is always used directly.
  private let agent: AgentLink?
  private let watchers: ChangeWatchers

  /// The keybag that holds the class keys. Lock and unlock the store through it.
  public var keybag: Keybag { store.keybag }
  /// The identity of the caller.
  public var identity: ApplicationIdentity { store.identity }
  package var authenticator: (any Authenticator)? { store.authenticator }
  /// The logger of this module. Its messages contain no secrets.
  public static var logger: Logger { KeychainLog.logger }

  // MARK: Opening

  /// Opens the keychain of a store. If the store has no keychain, creates one.
  ///
  /// The keybag may be locked: items that are always readable can be read at once.
  ///
  /// - Parameters:
  ///   - keybag: The opened keybag of the store.
  ///   - identity: The identity of the caller.
  ///   - authenticator: Asks the user for proofs that access control requires. Without an
  ///     authenticator, calls that would have to ask throw
  ///     ``AtRestError/Code/interactionNotAllowed``.
  ///   - acceptingOlder: True to accept a database that was deliberately restored to an older
  ///     state. Accepting requires an unlocked keybag: see `atrest repair`.
  ///   - usesAgent: True to let `atrest-agent` carry out the calls while it serves the store and this
  ///     process has not unlocked the keybag itself. The agent decides which access groups the
  ///     process may use; `identity` only narrows them.
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/rolledBack`` if the file is older
  ///   than the device remembers; ``AtRestError/Code/locked`` if `acceptingOlder` is true and the
  ///   store is locked; ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/system``.
  public static func open(
    _ keybag: Keybag, identity: ApplicationIdentity, authenticator: (any Authenticator)? = nil,
    acceptingOlder: Bool = false, usesAgent: Bool = true
  ) throws -> Keychain {
    try Keychain(
      keybag, identity: identity, authenticator: authenticator,
      opening: acceptingOlder ? .acceptingOlder : .normal, usesAgent: usesAgent)
  }

  /// Opens the keychain of a store with a clock that tests control.
  package static func open(
    _ keybag: Keybag, identity: ApplicationIdentity, clock: @escaping @Sendable () -> Date
  ) throws -> Keychain {
    try Keychain(keybag, identity: identity, clock: clock)
  }

  /// A database in memory, shared by the keychains of one simulated device.
  package struct MemoryDatabase: Sendable {
    let connection: Connection
    package init() throws { connection = try Connection(path: ":memory:") }
  }

  package static func open(
    _ keybag: Keybag, in memory: MemoryDatabase, identity: ApplicationIdentity,
    authenticator: (any Authenticator)?, clock: @escaping @Sendable () -> Date = { Date() }
  ) throws -> Keychain {
    try Keychain(
      keybag, connection: memory.connection, identity: identity, authenticator: authenticator,
      clock: clock)
  }

  init(
    _ keybag: Keybag, connection: Connection? = nil, identity: ApplicationIdentity,
    authenticator: (any Authenticator)? = nil, opening: KeychainDatabase.Opening = .normal,
    usesAgent: Bool = false, clock: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    let watchers = ChangeWatchers()
    self.watchers = watchers
    store = try StoreBackend(
      keybag, connection: connection, identity: identity, authenticator: authenticator,
      opening: opening, clock: clock, onChange: { watchers.tell($0) })
    agent =
      usesAgent
      ? (keybag.storage as? FolderStorage).map {
        AgentLink(folder: $0.folder, store: keybag.identity)
      }
      : nil
  }

  private init(_ other: Keychain, as identity: ApplicationIdentity) {
    store = StoreBackend(other.store, as: identity)
    (agent, watchers) = (other.agent, other.watchers)
  }

  /// Returns the same keychain for another identity. Closing one of them closes both.
  package func acting(as identity: ApplicationIdentity) -> Keychain {
    Keychain(self, as: identity)
  }

  /// Closes the database and erases derived keys. Later calls throw ``AtRestError/Code/locked``.
  /// The keybag is not affected.
  public func close() {
    store.close()
    agent?.close()
    watchers.finish()
  }

  /// Destroys the whole store at once: the effaceable key first, then the files.
  ///
  /// Only the store's owner may call this method. The store may be locked.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if the caller is not the owner;
  ///   ``AtRestError/Code/system``.
  public func wipe() throws {
    guard identity.isOwner else {
      throw AtRestError(
        .notPermitted, "\(identity.identifier) is not the store's owner.",
        remedy: "Open the keychain as ApplicationIdentity.owner().")
    }
    try keybag.wipe()
    close()
  }

  /// The protections that this store and device cannot provide: the risks of the keybag, and a
  /// failure of the device to remember the last change.
  public var risks: [StoreRisk] { keybag.risks + [store.database.anchor.risk].compactMap { $0 } }

  // MARK: Who carries out calls

  /// The one that carries out an operation now: the agent, if it serves the store and this process has not
  /// unlocked the store itself, and otherwise the store in this process.
  ///
  /// Inside ``transaction(_:)``, the store is used directly.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the agent cannot be reached;
  ///   ``AtRestError/Code/notPermitted`` if it belongs to another user.
  var backend: any KeychainBackend {
    get throws {
      guard let agent, keybag.awaitsFirstUnlock, !store.isInTransaction,
        let socket = try agent.socket()
      else { return store }
      return AgentBackend(AgentConnection(over: socket), store: store) { [watchers] in
        watchers.tell(KeychainChange(kind: .external, reference: nil))
      }
    }
  }

  /// Runs a closure that uses the store in this process, even if an agent serves it. If the closure finds
  /// the store locked, the error says that unlocking the store in the agent does not help.
  ///
  /// - Parameter lack: The reason for which the agent is not asked, such as `carries out no transactions`.
  func directly<Result: ~Copyable>(
    _ lack: String, _ body: (StoreBackend) throws -> Result
  ) throws -> Result {
    do {
      return try body(store)
    } catch let error as AtRestError where error.code == .locked {
      guard keybag.awaitsFirstUnlock, !store.isInTransaction, (try? agent?.socket()) != nil
      else { throw error }
      throw AtRestError.lockedHere(lack, cause: error)
    }
  }

  /// True if calls may be sent to an agent.
  package var usesAgent: Bool { agent != nil }

  /// True if the agent carries out the calls of this process.
  var isServedByAgent: Bool { get throws { try backend is AgentBackend } }

  /// True inside ``transaction(_:)`` of this keychain.
  package var isInTransaction: Bool { store.isInTransaction }

  // MARK: Changes

  /// A stream of the changes to the items of this keychain, from now on. The stream keeps the
  /// newest 4,096 unread changes, and ends when `close()` is called.
  ///
  /// Changes through this object are reported one by one. Changes by other processes or objects are
  /// reported as one ``KeychainChange/Kind/external`` the next time this object uses the database.
  public var changes: AsyncStream<KeychainChange> { watchers.stream() }

  package var now: Date { store.clock() }
}
