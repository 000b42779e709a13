import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Synchronization

/// The messages that a connection sends without being asked.
final class Outbox: Sendable {
  /// The bytes that may wait for a client. A client with more has lost messages, and its connection ends.
  static let most = 4 << 20

  private struct State {
    var messages: [AgentSecret] = []
    var count = 0
    var isOverfull = false
    var whenFilled: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Sets what is called after messages were added.
  func whenFilled(_ body: (@Sendable () -> Void)?) { state.withLock { $0.whenFilled = body } }

  /// Adds a message.
  func add(_ message: AgentSecret) {
    let call = state.withLock { state in
      state.count += message.bytes.count
      state.isOverfull = state.isOverfull || state.count > Self.most
      if state.isOverfull { state.messages = [] } else { state.messages.append(message) }
      return state.whenFilled
    }
    call?()
  }

  /// Takes all messages. Returns nil if some were lost.
  func take() -> [AgentSecret]? {
    state.withLock { state in
      guard !state.isOverfull else { return nil }
      defer { (state.messages, state.count) = ([], 0) }
      return state.messages
    }
  }
}

extension AgentSecret {
  /// Returns the bytes of several secrets, one after the other.
  static func joined(_ parts: [AgentSecret]) -> AgentSecret {
    guard parts.count != 1 else { return parts[0] }
    return AgentSecret(
      SecretBytes(count: parts.reduce(0) { $0 + $1.bytes.count }) { bytes in
        var rest = bytes
        for part in parts {
          part.bytes.withUnsafeBytes { rest.copyBytes(from: $0) }
          rest = UnsafeMutableRawBufferPointer(rebasing: rest[part.bytes.count...])
        }
      })
  }
}
