import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

/// The agent that serves a store.
enum AgentAccess {
  /// Connects to the agent of the store, or to the standard one.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if no agent serves the store;
  ///   ``AtRestError/Code/system`` if it does not answer.
  static func connect(_ store: StoreOptions) throws -> AgentConnection {
    guard let connection = try connectIfPresent(store) else {
      throw AtRestError(
        .notFound, "No agent serves the store in \(store.storeFolder.path).",
        remedy: "Start atrest-agent.")
    }
    return connection
  }

  /// Connects to the agent of the store. Returns nil if no agent serves it.
  static func connectIfPresent(_ store: StoreOptions) throws -> AgentConnection? {
    try AgentPlace.socket(ofStore: store.storeFolder).map { try AgentConnection(to: $0) }
  }
}
