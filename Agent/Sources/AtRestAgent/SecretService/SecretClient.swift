@_spi(Tools) import AtRestBus
import Synchronization

/// A client of the Secret Service, with its sessions for secrets and its prompts. They belong to it alone, and end with
/// it.
final class SecretClient: Sendable {
  /// The number of sessions for secrets that one client may have open.
  static let mostSessions = 64
  /// The number of prompts that one client may have. The oldest ends for a new one, unless the user is asked.
  static let mostPrompts = 16
  /// The most bytes of paths that a prompt keeps.
  private static let largestWish = 16 << 10

  private struct State {
    var name: String?
    var isGone = false
    var opened: UInt64 = 0
    var transports: [UInt64: SecretTransport] = [:]
    var promptsMade: UInt64 = 0
    var prompts: [UInt64: SecretPrompt] = [:]
  }

  private weak let hub: (any SignalHub)?
  private let state: Mutex<State>

  /// - Parameter name: The unique name on the bus, or nil before it is known.
  init(_ hub: any SignalHub, name: String? = nil) {
    self.hub = hub
    state = Mutex(State(name: name))
  }

  deinit { end() }

  /// The unique name of the client, or nil before it has one.
  var name: String? {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  /// True after ``end()``. Nobody waits for an answer then.
  var isGone: Bool { state.withLock { $0.isGone } }

  /// Ends the sessions and prompts, because the client has ended.
  func end() {
    let prompts = state.withLock { state in
      defer { (state.isGone, state.transports, state.prompts) = (true, [:], [:]) }
      return Array(state.prompts.values)
    }
    for prompt in prompts { prompt.end() }
  }

  /// Sends a signal to this client alone.
  func emit(_ signal: BusMessage) {
    guard let name else { return }
    hub?.emit(signal, to: name)
  }

  /// Notes that this client was given the list of the items of a collection.
  func note(knowsItemsOf collection: String) {
    guard let name else { return }
    hub?.note(name, knowsItemsOf: collection)
  }

  private static let gone = BusFailure(BusHub.bus + ".Error.Disconnected", "The client has ended.")

  // MARK: Sessions for secrets

  /// Opens a session.
  ///
  /// - Throws: ``BusFailure`` if the client has too many.
  func open(_ transport: SecretTransport) throws -> SecretPath {
    try state.withLock { state in
      guard !state.isGone else { throw Self.gone }
      guard state.transports.count < Self.mostSessions else {
        throw BusFailure(
          BusHub.bus + ".Error.LimitsExceeded",
          "A connection has at most \(Self.mostSessions) sessions.")
      }
      state.opened += 1
      state.transports[state.opened] = transport
      return .session(state.opened)
    }
  }

  /// Returns the transport of a session.
  ///
  /// - Throws: ``BusFailure`` if this client has no such session.
  func transport(_ path: String) throws -> SecretTransport {
    guard case .session(let number)? = SecretPath(path),
      let transport = state.withLock({ $0.transports[number] })
    else {
      throw BusFailure(BusFailure.secretErrors + "NoSession", "There is no session \(path).")
    }
    return transport
  }

  /// Closes a session.
  ///
  /// - Throws: ``BusFailure`` if this client has no such session.
  func close(_ number: UInt64) throws {
    guard state.withLock({ $0.transports.removeValue(forKey: number) }) != nil else {
      throw BusFailure.noObject(SecretPath.session(number).text)
    }
  }

  // MARK: Prompts

  /// Makes a prompt, and returns its path.
  ///
  /// - Throws: ``BusFailure`` if too many objects are wanted, or if too many prompts are asking.
  func makePrompt(_ wanted: [String]) throws -> SecretPath {
    guard wanted.reduce(0, { $0 + $1.utf8.count }) <= Self.largestWish else {
      throw BusFailure(
        BusHub.bus + ".Error.LimitsExceeded", "A prompt unlocks fewer objects at once.")
    }
    return try state.withLock { state in
      guard !state.isGone else { throw Self.gone }
      state.prompts = state.prompts.filter { $1.isOpen }
      if state.prompts.count >= Self.mostPrompts {
        guard let oldest = state.prompts.filter({ !$1.isAsking }).keys.min() else {
          throw BusFailure(
            BusHub.bus + ".Error.LimitsExceeded",
            "A connection has at most \(Self.mostPrompts) prompts.")
        }
        state.prompts.removeValue(forKey: oldest)?.end()
      }
      state.promptsMade += 1
      let path = SecretPath.prompt(state.promptsMade)
      state.prompts[state.promptsMade] = SecretPrompt(path, wanted)
      return path
    }
  }

  /// Returns a prompt.
  ///
  /// - Throws: ``BusFailure`` if this client has no such prompt, or if it has ended.
  func prompt(_ number: UInt64) throws -> SecretPrompt {
    guard let prompt = state.withLock({ $0.prompts[number] }), prompt.isOpen else {
      throw BusFailure.noObject(SecretPath.prompt(number).text)
    }
    return prompt
  }
}
