import Synchronization

/// A prompt of a client: the agent asks for the passcode of a locked store if the client calls `Prompt`.
///
/// A prompt belongs to one connection, and ends with it.
final class SecretPrompt: Sendable {
  private enum Phase { case waiting, asking, ended }

  let path: SecretPath
  /// The objects that the client wants unlocked.
  let wanted: [String]
  private let phase = Mutex(Phase.waiting)

  init(_ path: SecretPath, _ wanted: [String]) { (self.path, self.wanted) = (path, wanted) }

  /// False after the end, also while the user is still being asked.
  var isOpen: Bool { phase.withLock { $0 != .ended } }
  /// True while the user is asked.
  var isAsking: Bool { phase.withLock { $0 == .asking } }

  /// Begins to ask. Returns false if this was done before.
  func begin() -> Bool {
    phase.withLock { phase in
      guard phase == .waiting else { return false }
      phase = .asking
      return true
    }
  }

  /// Ends the prompt. Returns false if it has ended before.
  @discardableResult
  func end() -> Bool {
    phase.withLock { phase in
      defer { phase = .ended }
      return phase != .ended
    }
  }
}
