@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// The names on the agent's own bus, and the signals that its clients want.
final class BusHub: SignalHub {
  /// The name of the bus itself.
  static let bus = "org.freedesktop.DBus"
  /// The name of the Secret Service, and the unique name that stands for it.
  static let service = "org.freedesktop.secrets"
  static let serviceAddress = ownNames + "0"
  /// The beginning of the unique names on this bus. No session's bus gives such a name: those of dbus-daemon begin with
  /// 1, and those of dbus-broker too.
  private static let ownNames = ":0."
  /// The number of rules of one client, of one program, and of all together.
  static let mostRules = 256
  static let mostRulesOfProgram = 1024
  static let mostRulesOfAll = 4096

  private struct Client {
    let outbox: Outbox
    let program: Holder.Program
    /// The unique name that the client knows.
    let address: String
    var rules: [MatchRule] = []
    /// The collections whose lists of items the client was given.
    var collections: Set<String> = []
  }

  private struct State {
    var joined: UInt64 = 0
    var sent: UInt32 = 0
    var clients: [String: Client] = [:]
  }

  /// The number that identifies the bus.
  let guid = RandomBytes.data(count: 16).hexadecimal
  /// The names that clients have taken.
  let taken = BusNames()
  private let state = Mutex(State())

  /// True for a name of the agent, or of a client of its bus.
  static func isOwn(_ name: String) -> Bool {
    name == service || name.utf8.starts(with: ownNames.utf8)
  }

  /// Adds a client, and returns its unique name.
  ///
  /// - Parameter address: The name that the client has on the session's bus, and which it knows in place of this one.
  func join(_ outbox: Outbox, of holder: Holder, address: String? = nil) -> String {
    state.withLock { state in
      state.joined += 1
      let name = Self.ownNames + "\(state.joined)"
      state.clients[name] = Client(
        outbox: outbox, program: holder.program, address: address ?? name)
      return name
    }
  }

  /// Removes a client.
  func leave(_ name: String) {
    state.withLock { _ = $0.clients.removeValue(forKey: name) }
    taken.leave(name)
  }

  /// The names of all programs, without those that only their owners know.
  var names: [String] {
    [Self.bus, Self.service, Self.serviceAddress] + state.withLock { $0.clients.keys.sorted() }
  }

  /// Returns the unique name of the program that has a name, or nil if no program has it.
  func owner(of name: String) -> String? {
    switch name {
    case Self.bus: Self.bus
    case Self.service, Self.serviceAddress: Self.serviceAddress
    default: state.withLock { $0.clients[name] != nil } ? name : nil
    }
  }

  /// Adds a rule of a client.
  ///
  /// - Throws: ``BusFailure`` if the text is not a rule, or if the client, or all clients together, have too many.
  func add(_ text: String, of name: String) throws {
    guard let rule = MatchRule(text) else {
      throw BusFailure(Self.bus + ".Error.MatchRuleInvalid", "This is no match rule.")
    }
    let isAdded = state.withLock { state in
      guard let client = state.clients[name], client.rules.count < Self.mostRules else {
        return false
      }
      var (ofProgram, ofAll) = (0, 0)
      for other in state.clients.values {
        ofAll += other.rules.count
        if other.program == client.program { ofProgram += other.rules.count }
      }
      guard ofProgram < Self.mostRulesOfProgram, ofAll < Self.mostRulesOfAll else { return false }
      state.clients[name]?.rules.append(rule)
      return true
    }
    guard isAdded else {
      throw BusFailure(
        Self.bus + ".Error.LimitsExceeded",
        "A connection has at most \(Self.mostRules) match rules, a program \(Self.mostRulesOfProgram), "
          + "and all together \(Self.mostRulesOfAll).")
    }
  }

  /// Removes a rule of a client.
  ///
  /// - Throws: ``BusFailure`` if the client has no such rule.
  func remove(_ text: String, of name: String) throws {
    let isRemoved = state.withLock { state in
      guard let rule = MatchRule(text),
        let index = state.clients[name]?.rules.lastIndex(of: rule)
      else { return false }
      state.clients[name]?.rules.remove(at: index)
      return true
    }
    guard isRemoved else {
      throw BusFailure(Self.bus + ".Error.MatchRuleNotFound", "There is no such match rule.")
    }
  }

  /// Sends a signal to one client, whatever rules it has.
  func emit(_ signal: BusMessage, to name: String) {
    var signal = signal
    guard let client = prepare(&signal, { $0[name] }) else { return }
    signal.destination = client.address
    client.outbox.add(AgentSecret(signal.encoded()))
  }

  /// Gives a signal its sender and its number.
  private func prepare<Result: Sendable>(
    _ signal: inout BusMessage, _ find: ([String: Client]) -> Result
  ) -> Result {
    signal.sender = Self.serviceAddress
    let (serial, found) = state.withLock { state in
      state.sent = state.sent &+ 1 == 0 ? 1 : state.sent &+ 1
      return (state.sent, find(state.clients))
    }
    signal.serial = serial
    return found
  }

  /// Notes that a client was given the list of the items of a collection.
  func note(_ name: String, knowsItemsOf collection: String) {
    state.withLock { state in
      guard state.clients[name]?.collections.count ?? 0 < Self.mostCollections else { return }
      state.clients[name]?.collections.insert(collection)
    }
  }

  /// True if a client was given the list of the items of a collection.
  func hasClient(knowingItemsOf collection: String) -> Bool {
    state.withLock { $0.clients.values.contains { $0.collections.contains(collection) } }
  }

  /// Sends a signal to the clients that want it.
  ///
  /// - Parameter collection: The collection whose list of items they were given, or nil for all clients.
  func emit(_ signal: BusMessage, toThoseKnowingItemsOf collection: String?) {
    var signal = signal
    let names: Set = [Self.serviceAddress, Self.service]
    let clients = prepare(&signal) { clients in
      clients.values.filter { collection.map($0.collections.contains) ?? true }
    }
    // Others are not kept waiting while the rules are compared.
    let outboxes = clients.filter { client in
      client.rules.contains { $0.matches(signal, sentBy: names) }
    }.map(\.outbox)
    guard !outboxes.isEmpty else { return }
    let bytes = AgentSecret(signal.encoded())
    for outbox in outboxes { outbox.add(bytes) }
  }
}

/// A call that failed, as a client of D-Bus gets it.
struct BusFailure: Error, Equatable {
  let name: String
  let text: String

  init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

  static let secretErrors = "org.freedesktop.Secret.Error."

  static func noObject(_ path: String?) -> BusFailure {
    BusFailure(secretErrors + "NoSuchObject", "There is no object \(path ?? "").")
  }

  static func arguments(_ signature: String) -> BusFailure {
    BusFailure(BusHub.bus + ".Error.InvalidArgs", "The arguments have to be \(signature).")
  }

  /// Creates the failure for an error of the agent.
  init(_ error: any Error) {
    if let failure = error as? BusFailure {
      self = failure
      return
    }
    let error = AgentService.forClient(error)
    let name =
      switch error.code {
      case .locked: Self.secretErrors + "IsLocked"
      case .notFound: Self.secretErrors + "NoSuchObject"
      case .notPermitted, .missingEntitlement: BusHub.bus + ".Error.AccessDenied"
      case .invalidArgument: BusHub.bus + ".Error.InvalidArgs"
      case .busy: BusHub.bus + ".Error.LimitsExceeded"
      default: BusHub.bus + ".Error.Failed"
      }
    self.init(name, "\(error.message) \(error.remedy)")
  }
}
