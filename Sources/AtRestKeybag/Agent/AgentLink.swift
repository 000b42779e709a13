import AtRestCrypto
import Foundation
import Synchronization

/// The way to the agent that serves a store.
///
/// The connection is made for the first call, and again after the agent ended it.
package final class AgentLink: Sendable {
  private let folder: URL
  private let store: StoreIdentity
  private struct State {
    var socket: AgentSocket?
    var isClosed = false
  }
  private let state = Mutex(State())

  package init(folder: URL, store: StoreIdentity) { (self.folder, self.store) = (folder, store) }

  /// Returns a connection to the agent, or nil if no agent serves the store.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the agent cannot be reached;
  ///   ``AtRestError/Code/notPermitted`` if it belongs to another user.
  package func socket() throws -> AgentSocket? {
    try state.withLock { state in
      guard !state.isClosed else { return nil }
      if let known = state.socket, known.isOpen { return known }
      state.socket = try AgentPlace.connect(toAgentOf: store, in: folder)
      return state.socket
    }
  }

  /// Ends the connection. Later calls are not sent to the agent.
  package func close() {
    state.withLock { state in
      state.socket = nil
      state.isClosed = true
    }
  }
}
