import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import AtRestKeychain

/// The agent that serves a store.
enum AgentAccess {
  /// Connects to the agent of the store.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if no agent serves the store;
  ///   ``AtRestError/Code/system`` if it does not answer.
  static func connect(_ store: StoreOptions) throws -> AgentConnection {
    guard let connection = try connectIfPresent(store) else {
      throw AtRestError(
        .notFound, "No agent serves the store in \(store.storeFolder.path).",
        remedy: "Start one: atrest agent start.")
    }
    return connection
  }

  /// Connects to the agent of the store. Returns nil if no agent serves it. The agent of a store that was
  /// wiped is still found, as long as no other store is in the folder.
  static func connectIfPresent(_ store: StoreOptions) throws -> AgentConnection? {
    let folder = store.storeFolder
    guard
      let identity = AgentPlace.identity(in: folder) ?? AgentClaimFile(in: folder)?.store,
      let socket = try AgentPlace.connect(toAgentOf: identity, in: folder)
    else { return nil }
    return AgentConnection(over: socket)
  }
}
