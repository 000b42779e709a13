import AtRestCrypto
import Foundation
import Synchronization

/// The way from a keychain to the agent that serves its store.
///
/// The connection is made for the first call, and again after the agent ended it.
final class AgentLink: Sendable {
  private let store: URL
  private struct State {
    var connection: AgentConnection?
    var isClosed = false
  }
  private let state = Mutex(State())

  init(store: URL) { self.store = store }

  /// True if an agent serves the store.
  var isServed: Bool { get throws { try connect() != nil } }

  /// Sends a request to the agent.
  ///
  /// - Returns: The answer, or nil if no agent serves the store.
  /// - Throws: The agent's refusal; ``AtRestError/Code/system`` if the agent ends meanwhile.
  func send(_ request: () throws -> AgentRequest) throws -> AgentResponse? {
    guard let connection = try connect() else { return nil }
    return try connection.send(try request())
  }

  /// Ends the connection. Later calls are not sent to the agent.
  func close() {
    state.withLock { state in
      state.connection = nil
      state.isClosed = true
    }
  }

  private func connect() throws -> AgentConnection? {
    try state.withLock { state in
      guard !state.isClosed else { return nil }
      if let known = state.connection, known.isOpen { return known }
      state.connection = try AgentPlace.socket(ofStore: store).map { try AgentConnection(to: $0) }
      return state.connection
    }
  }
}
