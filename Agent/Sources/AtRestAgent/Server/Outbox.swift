import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import NIOCore
import Synchronization

/// The messages that a connection sends without being asked: those of the agent, and those that are passed on from
/// other programs.
final class Outbox: Sendable {
  /// The agent's bytes that may wait for a client. A client with more has lost messages, and its connection ends.
  static let most = 4 << 20
  /// The agent's bytes that are copied at once. A larger message is written as it is.
  private static let mostInPart = 16 << 10

  private enum Message {
    case own(AgentSecret)
    case passed(PassedMessage)
  }

  /// Messages that are written at once.
  enum Part: Sendable {
    case own(AgentSecret)
    case passed([PassedMessage])
  }

  /// The result of taking messages.
  enum Taken: Sendable {
    case nothing
    case part(Part)
    /// Some were lost.
    case failure
  }

  /// The messages of other programs that the client was not sent yet.
  struct Passed {
    var messages = 0
    var bytes = 0
    var descriptors = 0

    fileprivate mutating func count(_ message: PassedMessage, by sign: Int) {
      messages += sign
      bytes += sign * message.bytes.readableBytes
      descriptors += sign * message.descriptors.count
    }
  }

  private struct State {
    var messages = CircularBuffer<Message>()
    /// The numbers of messages that were added and taken.
    var added: UInt64 = 0
    var taken: UInt64 = 0
    /// The agent's bytes that wait.
    var own = 0
    var passed = Passed()
    var isOverfull = false
    var hasEnded = false
    var whenFilled: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Sets what is called after messages were added.
  func whenFilled(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenFilled = body }
  }

  /// Drops all messages, those that are still added too.
  func end() {
    state.withLock { $0 = State(hasEnded: true) }
  }

  /// Adds a message of the agent.
  func add(_ message: AgentSecret) {
    add(.own(message)) { state in
      state.own += message.bytes.count
      state.isOverfull = state.isOverfull || state.own > Self.most
    }
  }

  /// Adds a message of another program.
  func add(_ message: PassedMessage) {
    add(.passed(message)) { $0.passed.count(message, by: 1) }
  }

  private func add(_ message: Message, _ count: (inout State) -> Void) {
    let call = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.hasEnded else { return nil }
      count(&state)
      state.added += 1
      if state.isOverfull { state.messages = [] } else { state.messages.append(message) }
      return state.whenFilled
    }
    call?()
  }

  /// The messages of other programs that the client was not sent yet.
  var passed: Passed { state.withLock { $0.passed } }

  /// The number of messages that were ever added.
  var added: UInt64 { state.withLock { $0.added } }

  /// True if messages wait among the first ones.
  func has(oneOfFirst count: UInt64) -> Bool {
    state.withLock { $0.isOverfull || $0.taken < min(count, $0.added) }
  }

  /// Takes messages that can be written at once.
  func take() -> Taken {
    state.withLock { state in
      guard !state.isOverfull else { return .failure }
      switch state.messages.first {
      case .own: return .part(.own(.joined(Self.takeOwn(&state))))
      case .passed: return .part(.passed(Self.takePassed(&state)))
      case nil: return .nothing
      }
    }
  }

  private static func takeOwn(_ state: inout State) -> [AgentSecret] {
    var (parts, count) = ([AgentSecret](), 0)
    while case .own(let message)? = state.messages.first {
      count += message.bytes.count
      guard parts.isEmpty || count <= mostInPart else { break }
      parts.append(message)
      state.messages.removeFirst()
      state.own -= message.bytes.count
    }
    state.taken += UInt64(parts.count)
    return parts
  }

  /// A message with descriptors is a part of its own.
  private static func takePassed(_ state: inout State) -> [PassedMessage] {
    var parts: [PassedMessage] = []
    while case .passed(let message)? = state.messages.first {
      guard parts.isEmpty || message.descriptors.isEmpty else { break }
      parts.append(message)
      state.messages.removeFirst()
      if !message.descriptors.isEmpty { break }
    }
    state.taken += UInt64(parts.count)
    return parts
  }

  /// Says that the client was sent a part.
  func sent(_ part: Part) {
    guard case .passed(let messages) = part else { return }
    state.withLock { state in
      for message in messages { state.passed.count(message, by: -1) }
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
