import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

/// The agent that serves a store.
enum AgentAccess {
  /// Connects to the agent of the store.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if no agent serves the store;
  ///   ``AtRestError/Code/system`` if it does not answer.
  static func connect(_ store: StoreOptions) throws -> AgentConnection {
    guard let connection = try connectIfPresent(store) else {
      if try isHeld(store) {
        throw AtRestError(
          .system,
          "The agent of the store in \(store.storeFolder.path) does not listen at its socket.",
          remedy: "It begins, or ends because its socket was removed. Try again in a few seconds.")
      }
      // A store that is missing, damaged or another user's needs something else than an agent.
      if try identity(of: store) == nil { _ = try store.openKeybag() }
      throw AtRestError(
        .notFound, "No agent serves the store in \(store.storeFolder.path).",
        remedy: "Start one: atrest agent start.")
    }
    return connection
  }

  /// Connects to the agent of the store. Returns nil if no agent serves it. The agent of a store that was
  /// wiped is still found, as long as no other store is in the folder.
  static func connectIfPresent(_ store: StoreOptions) throws -> AgentConnection? {
    guard let identity = try identity(of: store),
      let socket = try AgentPlace.connect(toAgentOf: identity, in: store.storeFolder)
    else { return nil }
    return AgentConnection(over: socket)
  }

  /// Connects to the agent of the store. If an agent holds the store without listening, this waits up to 20
  /// seconds until it listens or has ended: it begins, or ends because its socket was removed.
  static func connectOrWait(_ store: StoreOptions) throws -> AgentConnection? {
    let end = ContinuousClock.now + .seconds(20)
    while true {
      if let agent = try connectIfPresent(store) { return agent }
      guard try isHeld(store), ContinuousClock.now < end else { return nil }
      usleep(20_000)
    }
  }

  /// True if an agent holds this store, and not one that was in the folder before and was wiped.
  private static func isHeld(_ store: StoreOptions) throws -> Bool {
    try AgentClaimFile.isHeld(in: store.storeFolder)
      && AgentClaimFile(in: store.storeFolder)?.store == identity(of: store)
  }

  /// Returns the store in the folder, or nil if it cannot be read and any store is accepted.
  ///
  /// - Throws: ``AtRestError/Code/otherStore`` if another store is expected; ``AtRestError/Code/notFound`` if the
  ///   folder has none.
  static func identity(of store: StoreOptions) throws -> StoreIdentity? {
    let folder = store.storeFolder
    let identity = AgentPlace.identity(in: folder) ?? AgentClaimFile(in: folder)?.store
    guard let expected = try store.expectedStore(), identity != expected else { return identity }
    guard let identity else { throw Keybag.noStore(folder.path) }
    throw Keybag.otherStore(folder.path, identity, expecting: expected)
  }
}
