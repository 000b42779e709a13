@_spi(Tools) import AtRestCrypto
import Foundation

/// The last moment in which this process knows that the agent was unlocked.
///
/// The agent announces each lock by the number in the store's file `lock`, and its end closes the
/// connection. Until either happens, it is still unlocked, and need not be asked.
struct AgentSight: Sendable {
  var notice: LockNotice?
  var unlocked: (socket: AgentSocket, count: UInt32)?

  /// The result of a look at the agent's lock state, which does not ask the agent.
  enum Look {
    /// The agent is still unlocked.
    case unlocked
    /// No lock was announced, but the connection ended: only the agent can tell.
    case disconnected
    /// A lock was announced, or the agent was never seen unlocked.
    case locked
  }
}

/// The keybag's use of the agent that serves its store.
extension Keybag {
  /// Sends a request about the key of a file to the agent.
  ///
  /// - Returns: The wrapped or unwrapped key, or nil if no agent serves the store.
  /// - Throws: The agent's refusal; ``AtRestError/Code/system`` if the agent ends meanwhile.
  func askAgent(_ request: FileKeyRequest) throws -> SecretBytes? {
    guard let socket = try agent?.socket() else { return nil }
    // A key of another class may be kept after a lock.
    guard request.keyClass.availability == .whenUnlocked else {
      return try request.result(in: socket.exchange(request.message))
    }
    guard let notice = try noticeOfAgent() else { return nil }
    // A lock that is announced from here on also counts.
    let count = notice.count
    let result = try request.result(in: socket.exchange(request.message))
    if let count { agentSight.withLock { $0.unlocked = (socket, count) } }
    followLocksOfAgent(after: count)
    return result
  }

  /// Returns true if data of a class came from the agent, and may be kept in memory now.
  ///
  /// The agent is asked whether it is unlocked, if the class requires this.
  ///
  /// - Returns: False without an agent, or if this process has the class key itself.
  /// - Throws: ``AtRestError/Code/system`` if the agent ends meanwhile.
  package func mayKeepFromAgent(_ keyClass: KeyClass) throws -> Bool {
    guard awaitsFirstUnlock, !isAvailable(keyClass), let socket = try agent?.socket(),
      let notice = try noticeOfAgent()
    else { return false }
    guard keyClass.availability == .whenUnlocked else { return true }
    let count = notice.count
    var request = ByteWriter()
    request.head(.status, for: store)
    let answer = try socket.exchange(SecretBytes(request.bytes))
    let status = try answer.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The agent's answer")
      let kind = try reader.answerKind()
      if kind == .refused { throw try reader.error() }
      guard kind == .document,
        let status = try? JSONDecoder().decode(
          LockStatus.self, from: Data(try reader.fixed(reader.remaining)))
      else { throw AgentLimits.unexpectedAnswer }
      return status
    }
    followLocksOfAgent(after: count)
    guard status.isUnlocked, let count else { return false }
    agentSight.withLock { $0.unlocked = (socket, count) }
    return true
  }

  /// The part of the agent's status that says whether it is unlocked.
  private struct LockStatus: Decodable {
    let isUnlocked: Bool
  }

  /// Returns true if data of a class that came from the agent may still be kept in memory. The agent is
  /// asked only if it ended the connection, as it does after minutes without a request.
  package func mayStillKeepFromAgent(_ keyClass: KeyClass) -> Bool {
    if isAvailable(keyClass) { return true }
    guard awaitsFirstUnlock else { return false }
    guard keyClass.availability == .whenUnlocked else { return true }
    return switch agentLook {
    case .unlocked: true
    case .disconnected: (try? mayKeepFromAgent(keyClass)) == true
    case .locked: false
    }
  }

  /// The lock state of the agent since it was last asked for something that requires an unlocked store.
  var agentLook: AgentSight.Look {
    agentSight.withLock { sight in
      guard let (socket, count) = sight.unlocked, sight.notice?.count == count else {
        return .locked
      }
      return socket.isOpen ? .unlocked : .disconnected
    }
  }

  private func noticeOfAgent() throws -> LockNotice? {
    try agentSight.withLock { sight in
      if sight.notice == nil { sight.notice = try notice }
      return sight.notice
    }
  }
}
