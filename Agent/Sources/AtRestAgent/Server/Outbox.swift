import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Synchronization

/// The messages that a connection sends without being asked.
final class Outbox: Sendable {
  /// The bytes that may wait for a client. A client with more has lost messages, and its connection ends.
  static let most = 4 << 20

  /// The bytes that may wait while a message can wait elsewhere.
  private static let enough = 256 << 10

  /// A message that waits.
  struct Message: Sendable {
    let bytes: AgentSecret
    /// The memory for it, or nil if it takes little.
    let held: Budget.Held?
  }

  private struct State {
    var messages: [Message] = []
    var count = 0
    var isOverfull = false
    var whenFilled: (@Sendable () -> Void)?
    var whenTaken: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Sets what is called after messages were added.
  func whenFilled(_ body: (@Sendable () -> Void)?) { state.withLock { $0.whenFilled = body } }

  /// Adds a message.
  func add(_ message: AgentSecret, held: Budget.Held? = nil) {
    let call = state.withLock { state in
      state.count += message.bytes.count
      state.isOverfull = state.isOverfull || state.count > Self.most
      if state.isOverfull {
        state.messages = []
      } else {
        state.messages.append(Message(bytes: message, held: held))
      }
      return state.whenFilled
    }
    call?()
  }

  /// Returns true if a message that can wait elsewhere may be added. Otherwise, a function is called once when it may.
  func hasRoom(orCall body: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if state.count < Self.enough { return true }
      state.whenTaken = body
      return false
    }
  }

  /// Takes all messages. Returns nil if some were lost.
  func take() -> [Message]? {
    let (messages, call) = state.withLock { state -> ([Message]?, (@Sendable () -> Void)?) in
      guard !state.isOverfull else { return (nil, nil) }
      defer { (state.messages, state.count, state.whenTaken) = ([], 0, nil) }
      return (state.messages, state.whenTaken)
    }
    call?()
    return messages
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
