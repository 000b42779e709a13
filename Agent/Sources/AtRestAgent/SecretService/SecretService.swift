@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// The Secret Service (`org.freedesktop.secrets`): calls of D-Bus become requests to the agent, which decides about
/// them as about all others.
///
/// Source: Secret Service API 0.2.
final class SecretService: Sendable {
  static let interface = "org.freedesktop.Secret."
  static let properties = BusHub.bus + ".Properties"

  let service: AgentService
  let hub = BusHub()
  /// The session's bus, if the agent has a name there.
  let sessionHub = Mutex<(any SignalHub)?>(nil)
  /// Held while something is looked for and then made or replaced.
  let making = Mutex(())

  /// The lock state, and the number of locks, of which clients were told last.
  private let announced: Mutex<LockState>

  private struct LockState: Equatable {
    let isUnlocked: Bool
    let locks: UInt64

    init(_ service: AgentService) {
      isUnlocked = service.isUnlocked
      locks = service.locks
    }
  }

  init(_ service: AgentService) {
    self.service = service
    announced = Mutex(LockState(service))
  }

  /// An answer.
  struct Answer {
    var body: [BusValue] = []
    /// True for what was read: a lock of the store has to keep the answer from being sent.
    var isProtected = false
    /// Called when the answer was sent.
    var whenSent: (@Sendable () -> Void)?
  }

  /// Returns what the answer to a call takes. Only a lock, and what depends on no program and reads nothing, is
  /// answered without looking at the program that asks.
  func work(for call: BusMessage) -> FrameWork {
    switch (call.interface, call.member, SecretPath(call.path ?? "")) {
    case (BusHub.bus + ".Peer", "Ping", _), (Self.interface + "Session", "Close", .session): .none
    case (Self.interface + "Service", "Lock", .service): .lock
    // While the user is asked, others need the thread for large answers. libsecret reads single secrets in this way.
    case (_, "GetSecrets", _)
    where !service.asksUser && call.body.first?.strings.count ?? 0 > Self.few:
      .large
    default: .usual
    }
  }

  /// Returns what the answer to a call takes that waits for no earlier one, such as one that asks the user. nil for
  /// other calls; to close a session is one of them, because earlier ones use it.
  func workWithoutOrder(for call: BusMessage) -> FrameWork? {
    let work = work(for: call)
    return work == .lock || work == .none && call.member == "Ping" ? work : nil
  }

  /// Answers a call.
  ///
  /// - Throws: ``BusFailure``; the errors of the agent.
  func answer(
    _ call: BusMessage, from client: SecretClient, _ identity: PeerIdentity
  ) throws -> Answer {
    guard hub.owner(of: call.destination ?? "") == BusHub.serviceAddress else {
      throw BusFailure(
        BusHub.bus + ".Error.ServiceUnknown", "No program has the name \(call.destination ?? "").")
    }
    let request = SecretCall(call, client, identity)
    switch call.interface {
    case BusHub.bus + ".Introspectable":
      guard call.member == "Introspect" else { break }
      return Answer(
        body: [
          .text(SecretIntrospection.text(of: call.path ?? "/", among: try objects(for: request)))
        ],
        isProtected: true)
    case BusHub.bus + ".Peer":
      guard call.member == "Ping" else { break }
      return Answer()
    case Self.properties: return try answerProperties(request)
    default:
      guard let path = SecretPath(call.path ?? "") else { throw BusFailure.noObject(call.path) }
      switch path {
      case .service: return try answerService(request)
      case .collection(let name): return try answerCollection(request, collection(name))
      case .alias(let alias): return try answerCollection(request, collection(alias: alias))
      case .item(let collection, let number):
        return try answerItem(request, SecretItem(collection, number))
      case .session(let number):
        guard call.member == "Close" else { break }
        try client.close(number)
        return Answer()
      case .prompt(let number): return try answerPrompt(request, number)
      }
    }
    throw request.unknownMethod
  }

  /// The objects that a program may know.
  private func objects(for request: SecretCall) throws -> [SecretPath] {
    let access = try? request.access(service, writing: false)
    var paths: [SecretPath] = try [.service] + aliases().keys.map { .alias($0) }
    for collection in try collections() {
      paths.append(collection.path)
      // Without a grant, a program sees no items.
      guard let access else { continue }
      paths += try search([:], in: collection, by: access).map(\.item)
    }
    return paths
  }

  // MARK: Service

  private func answerService(_ request: SecretCall) throws -> Answer {
    switch request.member("Service") {
    case "OpenSession":
      let arguments = try request.arguments("sv")
      let (output, session) = try open(arguments[0].string ?? "", arguments[1], request.client)
      return Answer(body: [.variant(output), session.value])
    case "SearchItems":
      let wanted = try request.attributes(in: request.arguments("a{ss}")[0])
      var found: (unlocked: [SecretPath], locked: [SecretPath]) = ([], [])
      let access = try request.access(service, writing: false)
      for collection in try collections() {
        for (item, isReadable) in try search(wanted, in: collection, by: access) {
          if isReadable { found.unlocked.append(item) } else { found.locked.append(item) }
        }
      }
      return Answer(
        body: [.paths(found.unlocked.map(\.text)), .paths(found.locked.map(\.text))],
        isProtected: true)
    case "GetSecrets":
      let arguments = try request.arguments("aoo")
      let transport = try request.client.transport(arguments[1].string ?? "")
      return try secrets(
        arguments[0].strings, transport, session: arguments[1],
        by: request.access(service, writing: false))
    case "Unlock":
      return try unlock(request.arguments("ao")[0].strings, for: request)
    case "Lock":
      let paths = try request.arguments("ao")[0].strings
      if paths.isEmpty { return Answer(body: [.paths([]), Self.noPrompt]) }
      if case .refused(let error) = service.answer(.lock, to: request.peer) { throw error }
      // A store without a passcode is always open.
      return Answer(body: [.paths(service.isUnlocked ? [] : paths), Self.noPrompt])
    case "ReadAlias":
      let alias = try request.arguments("s")[0].string ?? ""
      return Answer(body: [
        try aliases()[alias].map { SecretPath.collection($0).value } ?? Self.none
      ])
    case "SetAlias":
      let arguments = try request.arguments("so")
      try setAlias(
        arguments[0].string ?? "", arguments[1].string ?? "",
        by: request.access(service, writing: true))
      return Answer()
    case "CreateCollection":
      let arguments = try request.arguments("a{sv}s")
      let label = arguments[0].dictionary?[Self.interface + "Collection.Label"]?.string ?? ""
      let name = try createCollection(
        label, alias: arguments[1].string ?? "", by: request.access(service, writing: true))
      return Answer(body: [SecretPath.collection(name).value, Self.noPrompt])
    default: throw request.unknownMethod
    }
  }

  /// The path that says that there is nothing, or no prompt.
  private static let none = BusValue.path("/")
  static let noPrompt = none

  private func open(
    _ algorithm: String, _ input: BusValue, _ client: SecretClient
  ) throws -> (BusValue, SecretPath) {
    switch algorithm {
    case SecretTransport.plainName: return (.text(""), try client.open(.plain))
    case SecretTransport.encryptedName:
      guard let other = input.content else { throw BusFailure.arguments("sv, with bytes") }
      let (transport, own) = try SecretTransport.agree(with: other)
      return (.bytes(own), try client.open(transport))
    default:
      throw BusFailure(
        BusHub.bus + ".Error.NotSupported", "The agent has no sessions of the kind \(algorithm).")
    }
  }

  /// The number of secrets up to which an answer is like that for a single one.
  private static let few = 16
  /// The number of secrets in one answer.
  static let mostSecrets = 10_000
  /// The bytes of all secrets in one answer.
  static let largestAnswer = 8 << 20

  private func secrets(
    _ paths: [String], _ transport: SecretTransport, session: BusValue, by access: SecretAccess
  ) throws -> Answer {
    guard paths.count <= Self.mostSecrets else {
      throw BusFailure(
        BusHub.bus + ".Error.LimitsExceeded",
        "A call asks for at most \(Self.mostSecrets) secrets.")
    }
    var entries: [BusValue] = []
    var refusal: AtRestError?
    var (asked, count) = (Set<String>(), 0)
    for path in paths where asked.insert(path).inserted {
      guard case .item(let collection, let number)? = SecretPath(path) else { continue }
      do {
        let (secret, size) = try secret(
          of: SecretItem(collection, number), transport, session, by: access)
        count += size
        guard count <= Self.largestAnswer else {
          throw BusFailure(
            BusHub.bus + ".Error.LimitsExceeded",
            "These secrets have more than \(Self.largestAnswer) bytes. Ask for fewer.")
        }
        entries.append(.entry(.path(path), secret))
      } catch let failure as BusFailure where failure.name == BusFailure.noObject(nil).name {
        // The answer has the items that exist.
        continue
      } catch let error as AtRestError where error.code == .locked {
        // And of those, the ones that are not locked, as with gnome-keyring (gkd-secret-objects.c).
        refusal = refusal ?? error
      }
    }
    // An empty answer would say that there are no such items.
    if entries.isEmpty, let refusal { throw refusal }
    let type = BusType.entry(.path, .structure([.path, .bytes, .bytes, .text]))
    return Answer(body: [.array(type, entries)], isProtected: true)
  }

  // MARK: Properties

  private func answerProperties(_ request: SecretCall) throws -> Answer {
    let call = request.call
    let path = SecretPath(call.path ?? "")
    switch call.member {
    case "Get":
      let arguments = try request.arguments("ss")
      let name = arguments[1].string ?? ""
      let values = try properties(
        of: path, request, arguments[0].string ?? "", withItems: name == "Items")
      guard let value = values[name] else {
        throw BusFailure(
          BusHub.bus + ".Error.UnknownProperty", "There is no such property.")
      }
      return Answer(body: [.variant(value)], isProtected: true)
    case "GetAll":
      let interface = try request.arguments("s")[0].string ?? ""
      return Answer(
        body: [.properties(try properties(of: path, request, interface))], isProtected: true)
    case "Set":
      let arguments = try request.arguments("ssv")
      try set(arguments[1].string ?? "", to: arguments[2], of: path, request)
      return Answer()
    default: throw request.unknownMethod
    }
  }

  /// Returns the properties of an object. An empty interface stands for that of the object.
  ///
  /// - Parameter withItems: False to leave out the items of a collection, which take long to find.
  private func properties(
    of path: SecretPath?, _ request: SecretCall, _ interface: String, withItems: Bool = true
  ) throws -> [String: BusValue] {
    func isAsked(_ kind: String) -> Bool { interface.isEmpty || interface == Self.interface + kind }
    switch path {
    case .service where isAsked("Service"):
      return ["Collections": .paths(try collections().map { SecretPath.collection($0.name).text })]
    case .collection(let name) where isAsked("Collection"):
      return try properties(of: collection(name), withItems: withItems, for: request)
    case .alias(let alias) where isAsked("Collection"):
      return try properties(of: collection(alias: alias), withItems: withItems, for: request)
    case .item(let collection, let number) where isAsked("Item"):
      return try properties(
        of: SecretItem(collection, number), by: request.access(service, writing: false))
    case .service, .collection, .alias, .item, .session, .prompt:
      return [:]
    case nil: throw BusFailure.noObject(request.call.path)
    }
  }

  private func set(
    _ property: String, to value: BusValue, of path: SecretPath?, _ request: SecretCall
  ) throws {
    switch (path, property) {
    case (.item(let collection, let number), "Label"):
      try update(
        SecretItem(collection, number), label: value.string ?? "", attributes: nil, secret: nil,
        by: request.access(service, writing: true))
    case (.item(let collection, let number), "Attributes"):
      try update(
        SecretItem(collection, number), label: nil, attributes: request.attributes(in: value),
        secret: nil, by: request.access(service, writing: true))
    case (.collection(let name), "Label"):
      try setLabel(
        value.string ?? "", of: collection(name), by: request.access(service, writing: true))
    case (.alias(let alias), "Label"):
      try setLabel(
        value.string ?? "", of: collection(alias: alias),
        by: request.access(service, writing: true))
    case (nil, _): throw BusFailure.noObject(request.call.path)
    default:
      throw BusFailure(BusHub.bus + ".Error.PropertyReadOnly", "This property cannot be set.")
    }
  }

  // MARK: Signals

  private var hubs: [any SignalHub] { [hub] + [sessionHub.withLock { $0 }].compactMap { $0 } }

  /// Sends a signal to the clients that want it, on each bus.
  private func emit(_ signal: BusMessage, toThoseKnowingItemsOf collection: String? = nil) {
    for hub in hubs { hub.emit(signal, toThoseKnowingItemsOf: collection) }
  }

  /// Tells the clients whether the collections are locked, if the store was locked or unlocked since the last call.
  func announceLockState() {
    let state = LockState(service)
    let hasChanged = announced.withLock { announced in
      defer { announced = state }
      return announced != state
    }
    guard hasChanged, let collections = try? collections() else { return }
    for collection in collections {
      emit(
        BusMessage(
          .signal, path: SecretPath.root, interface: Self.interface + "Service",
          member: "CollectionChanged", [collection.path.value]))
      emit(
        BusMessage(
          .signal, path: collection.path.text, interface: Self.properties,
          member: "PropertiesChanged",
          [
            .text(Self.interface + "Collection"),
            .properties(["Locked": .boolean(!state.isUnlocked)]), .texts([]),
          ]))
    }
  }

  /// Tells the clients of a change of a collection.
  func announce(_ change: String, _ collection: SecretPath) {
    emit(
      BusMessage(
        .signal, path: SecretPath.root, interface: Self.interface + "Service", member: change,
        [collection.value]))
    emit(
      Self.change(
        of: .service, "Service", "Collections", to: try? collections().map(\.path)))
  }

  /// The number of items up to which a signal has their list.
  private static let mostListed = 16_384

  /// Tells the clients of a change of an item.
  ///
  /// - Parameter access: Reads the new list, if one item more or less is in it.
  func announce(_ change: String, _ item: SecretItem, by access: SecretAccess? = nil) {
    let owner = SecretPath.collection(item.collection)
    emit(
      BusMessage(
        .signal, path: owner.text, interface: Self.interface + "Collection", member: change,
        [item.path.value]))
    // Whoever was not given the list must not learn it, and keeps no copy of it.
    guard let access, hubs.contains(where: { $0.hasClient(knowingItemsOf: item.collection) }) else {
      return
    }
    let items = try? search([:], in: collection(item.collection), by: access).map(\.item)
    emit(
      Self.change(
        of: owner, "Collection", "Items",
        to: items.flatMap { $0.count > Self.mostListed ? nil : $0 }),
      toThoseKnowingItemsOf: item.collection)
  }

  /// Returns the signal of a list of objects that has changed. It has the new list, because libsecret keeps none that
  /// is only called outdated, and others read it again only then.
  private static func change(
    of owner: SecretPath, _ kind: String, _ property: String, to paths: [SecretPath]?
  ) -> BusMessage {
    BusMessage(
      .signal, path: owner.text, interface: properties, member: "PropertiesChanged",
      [
        .text(interface + kind),
        .properties(paths.map { [property: .paths($0.map(\.text))] } ?? [:]),
        .texts(paths == nil ? [property] : []),
      ])
  }
}

/// A call to the Secret Service.
struct SecretCall {
  let call: BusMessage
  let client: SecretClient
  let peer: Peer
  /// True if the process was judged. Before that, only its user is known.
  private let isJudged: Bool

  /// The number of attributes that an item may have.
  static let mostAttributes = 64

  init(_ call: BusMessage, _ client: SecretClient, _ identity: PeerIdentity) {
    (self.call, self.client, peer) = (call, client, identity.peer)
    isJudged = identity.isKnown
  }

  /// Returns the name of the method, if the call names an interface of this kind, or does not name one.
  func member(_ kind: String) -> String? {
    let interface = call.interface ?? SecretService.interface + kind
    return interface == SecretService.interface + kind ? call.member : nil
  }

  /// Returns the arguments.
  ///
  /// - Throws: ``BusFailure`` if they have another signature.
  func arguments(_ signature: String) throws -> [BusValue] {
    guard call.body.map(\.type.letters).joined() == signature else {
      throw BusFailure.arguments(signature)
    }
    return call.body
  }

  /// Returns the attributes in a dictionary of texts.
  func attributes(in value: BusValue?) throws -> [String: String] {
    guard let value else { return [:] }
    guard let dictionary = value.dictionary, dictionary.values.allSatisfy({ $0.string != nil })
    else {
      throw BusFailure.arguments("a{ss}")
    }
    guard dictionary.count <= Self.mostAttributes else {
      throw BusFailure(
        BusHub.bus + ".Error.LimitsExceeded",
        "An item has at most \(Self.mostAttributes) attributes.")
    }
    return dictionary.compactMapValues(\.string)
  }

  /// Decides whether the process may use items. The user may be asked.
  func access(_ service: AgentService, writing: Bool) throws -> SecretAccess {
    try checkJudged()
    return try service.secretAccess(
      for: peer, writing: writing, call.member ?? "",
      unlocking: wantsItems ? { [client] in !client.isGone } : nil)
  }

  /// True for the methods of the Secret Service itself. Tools that show objects and properties ask nobody.
  private var wantsItems: Bool {
    call.interface.map { $0.hasPrefix(SecretService.interface) } ?? true
  }

  /// Throws ``AtRestError/Code/notPermitted`` if only the user of the process is known.
  func checkJudged() throws {
    guard isJudged else {
      throw AtRestError(
        .notPermitted, "The program that asks was not looked at.", remedy: "Try again.")
    }
  }

  var unknownMethod: BusFailure {
    BusFailure(
      BusHub.bus + ".Error.UnknownMethod",
      "There is no method \(call.interface ?? "").\(call.member ?? "").")
  }
}

extension BusValue {
  /// The texts or paths in an array.
  var strings: [String] { (elements ?? []).compactMap(\.string) }
}
