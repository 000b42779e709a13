import AtRestCrypto

/// The last moment in which this process knows that the agent was unlocked.
///
/// The agent announces each lock by the number in the store's file `lock`, and its end closes the
/// connection. Until either happens, it is still unlocked, and need not be asked.
struct AgentSight: Sendable {
  var notice: LockNotice?
  var unlocked: (socket: AgentSocket, count: UInt32)?
}

/// The keybag's use of the agent that serves its store.
extension Keybag {
  /// Sends a request about the key of a file to the agent.
  ///
  /// - Returns: The wrapped or unwrapped key, or nil if no agent serves the store.
  /// - Throws: The agent's refusal; ``AtRestError/Code/system`` if the agent ends meanwhile.
  func askAgent(_ request: FileKeyRequest) throws -> SecretBytes? {
    guard let socket = try agent?.socket(), let notice = try noticeOfAgent() else { return nil }
    // A lock that is announced from here on also counts.
    let count = notice.count
    let result = try request.result(in: socket.exchange(request.message))
    if request.keyClass.availability == .whenUnlocked, let count {
      agentSight.withLock { $0.unlocked = (socket, count) }
    }
    followLocksOfAgent(notice, after: count)
    return result
  }

  /// True if the agent has been unlocked since it was last asked for a key that requires this.
  var isAgentStillUnlocked: Bool {
    agentSight.withLock { sight in
      guard let (socket, count) = sight.unlocked, let notice = sight.notice else { return false }
      return socket.isOpen && notice.count == count
    }
  }

  private func noticeOfAgent() throws -> LockNotice? {
    try agentSight.withLock { sight in
      if sight.notice == nil { sight.notice = try notice }
      return sight.notice
    }
  }
}
