@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// The agent as a client of the session's bus, from the connection to its end.
///
/// Every program of the bus can send any message. One that is too large, malformed or not expected is skipped, or
/// refused by an answer, and never ends the connection.
final class BusMembership: SignalHub {
  private static let largestHeader = 64 << 10
  private static let isOwnClient = AtRestError(
    .notPermitted, "The agent does not answer clients of its own bus on this one.",
    remedy: "Call org.freedesktop.secrets.")
  private static let secondsForReply = 10

  struct State {
    var serial: UInt32 = 0
    /// The programs that call. Each has a share of the agent's connections, or the bus is asked about it.
    var callers: [String: BusCaller] = [:]
    var hasName = false
  }

  let workshop: BusWorkshop
  private let name: BusName
  let output: BusOutput
  private let descriptors = BusDescriptors()
  private let questions = BusQuestions()
  let state = Mutex(State())

  init(_ workshop: BusWorkshop, _ name: BusName, _ output: BusOutput) {
    (self.workshop, self.name, self.output) = (workshop, name, output)
  }

  var secrets: SecretService { workshop.secrets }

  // MARK: Reading

  /// Serves the bus until the connection ends.
  ///
  /// - Throws: The error with which it ended.
  func serve(_ socket: BusSocket) throws {
    defer { endCallers() }
    try ask("Hello", [], socket)
    // Callers that have ended. Other signals come only from the bus itself, and to this connection alone.
    let rule =
      "type='signal',sender='\(BusHub.bus)',interface='\(BusHub.bus)',member='NameOwnerChanged',arg2=''"
    try ask("AddMatch", [.text(rule)], socket)
    name.join()
    while true {
      if name.isDue { askForName() }
      for caller in questions.takeOverdue() { forget(caller, because: .tryAgain) }
      if let next = [name.nextAttempt, questions.end].compactMap({ $0 }).min() {
        guard socket.waits(until: next) else { continue }
      }
      try receive(socket)
    }
  }

  /// Calls the bus, and waits for its reply. What arrives before that is skipped.
  private func ask(_ member: String, _ arguments: [BusValue], _ socket: BusSocket) throws {
    socket.end = .now + .seconds(Self.secondsForReply)
    defer { socket.end = nil }
    let serial = call(member, arguments)
    while true {
      let prefix = try socket.receivePrefix()
      let size = prefix.size - prefix.bytes.count
      guard size <= Self.largestHeader else {
        try skip(size, socket)
        continue
      }
      let bytes = try prefix.bytes + socket.receive(size)
      guard let reply = try? bytes.withUnsafeBytes({ try BusMessage(decoding: $0) }),
        reply.sender == BusHub.bus, reply.answered == serial
      else { continue }
      guard reply.kind == .reply else { throw socket.fail() }
      return
    }
  }

  private func skip(_ count: Int, _ socket: BusSocket) throws {
    var rest = count
    while rest > 0 { rest -= try socket.receive(min(rest, 1 << 16)).count }
  }

  private func receive(_ socket: BusSocket) throws {
    let prefix = try socket.receivePrefix()
    guard prefix.header <= Self.largestHeader else {
      return try skip(prefix.size - prefix.bytes.count, socket)
    }
    let header = try prefix.bytes + socket.receive(prefix.header - prefix.bytes.count)
    let rest = prefix.size - prefix.header
    guard let head = try? header.withUnsafeBytes({ try BusMessage(decodingHeader: $0) }) else {
      return try skip(rest, socket)
    }
    if head.sender == BusHub.bus {
      guard rest <= BusMessage.largest else { return try skip(rest, socket) }
      let bytes = try header + socket.receive(rest)
      guard let message = try? bytes.withUnsafeBytes({ try BusMessage(decoding: $0) }) else {
        return
      }
      return hear(message, socket.takeDescriptor().map { OpenDescriptor($0) })
    }
    guard head.kind == .call, let sender = head.sender else { return try skip(rest, socket) }
    do {
      guard prefix.size <= AgentRequest.largest else { throw BusSession.tooLarge }
      guard let caller = caller(sender), caller.hasRoom(for: head, by: secrets) else {
        throw BusFailure(AtRestError.shareIsUsedUp)
      }
      let place = try place(for: head, socket)
      // Memory is taken before it is filled.
      let memory = BusCaller.Queued.memory(prefix.size)
      guard let held = workshop.workers.queued.hold(memory, for: caller.holder) else {
        throw BusFailure(AtRestError.shareIsUsedUp)
      }
      let whole = try SecretBytes(count: prefix.size) { bytes in
        bytes.copyBytes(from: header)
        try socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: bytes[header.count...]))
      }
      let descriptor = place.flatMap { _ in socket.takeDescriptor() }.map { OpenDescriptor($0) }
      socket.dropDescriptor()
      take(.init(AgentSecret(whole), head, held, descriptor, place), from: caller)
    } catch let failure as BusFailure {
      socket.dropDescriptor()
      try skip(rest, socket)
      refuse(head, failure)
    }
  }

  /// Returns the place for the descriptor of a call, or nil if the call has none. A descriptor that no method takes is
  /// closed at once.
  ///
  /// - Throws: ``BusFailure`` if there is no place, or if the descriptor did not arrive.
  private func place(for head: BusMessage, _ socket: BusSocket) throws -> BusDescriptors.Place? {
    guard head.path == SecretPortal.path, head.member == "RetrieveSecret", head.descriptors > 0
    else {
      socket.dropDescriptor()
      return nil
    }
    guard socket.hasDescriptor, let place = descriptors.place(for: head.sender ?? "") else {
      throw BusFailure(AtRestError.shareIsUsedUp)
    }
    return place
  }

  // MARK: The bus

  func sent(_ message: BusMessage, as question: BusQuestions.Question? = nil) -> BusMessage {
    var message = message
    message.serial = state.withLock { state in
      state.serial = state.serial &+ 1 == 0 ? 1 : state.serial &+ 1
      return state.serial
    }
    if let question { questions.add(question, message.serial) }
    return message
  }

  /// Calls the bus, and returns the number of the call.
  @discardableResult
  private func call(
    _ member: String, _ arguments: [BusValue], as question: BusQuestions.Question? = nil
  ) -> UInt32 {
    let message = sent(
      BusMessage(
        .call, path: "/org/freedesktop/DBus", interface: BusHub.bus, member: member,
        destination: BusHub.bus, arguments), as: question)
    output.add(BusOutput.Message(bytes: AgentSecret(message.encoded())))
    return message.serial
  }

  private func askForName() {
    name.asked()
    if name.replaces {
      call("RequestName", [.text(name.text), .uint32(BusName.replacing)], as: .name)
    } else {
      call("ListActivatableNames", [], as: .activatableNames)
    }
  }

  /// Acts on a message of the bus itself.
  private func hear(_ message: BusMessage, _ descriptor: OpenDescriptor?) {
    guard message.kind != .signal else { return hear(signal: message) }
    switch questions.take(message) {
    case .activatableNames:
      // A keyring that the bus would start has the name, although it does not run yet.
      if message.body.first?.strings.contains(name.text) == true { return name.isTaken() }
      call("RequestName", [.text(name.text), .uint32(BusName.free)], as: .name)
    case .name:
      let hasName = message.kind == .reply && BusName.isOwner(message.number)
      state.withLock { $0.hasName = hasName }
      if hasName {
        name.isOwn()
      } else if message.kind == .error {
        name.isRefused(message.body.first?.string ?? "")
      } else {
        name.isTaken()
      }
    case .caller(let name):
      identify(
        name, message.kind == .reply ? BusCredentials(message, descriptor) : nil)
    case nil: break
    }
  }

  private func hear(signal: BusMessage) {
    guard signal.interface == BusHub.bus else { return }
    switch signal.member {
    case "NameOwnerChanged":
      guard let name = signal.body.first?.string, name.hasPrefix(":"),
        signal.body.last?.string == ""
      else { return }
      forget(name)
    case "NameLost":
      guard signal.body.first?.string == name.text else { return }
      state.withLock { $0.hasName = false }
      name.isLost()
    default: break
    }
  }

  // MARK: Callers

  /// Returns a caller. The bus is asked for the process of a new one. nil if too many are not known yet.
  private func caller(_ name: String) -> BusCaller? {
    let (caller, isNew) = state.withLock { state -> (BusCaller?, Bool) in
      if let known = state.callers[name] { return (known, false) }
      guard !questions.isFull else { return (nil, false) }
      let caller = BusCaller(name, self)
      state.callers[name] = caller
      return (caller, true)
    }
    if isNew { call("GetConnectionCredentials", [.text(name)], as: .caller(name)) }
    return caller
  }

  private func identify(_ name: String, _ credentials: BusCredentials?) {
    guard let caller = state.withLock({ $0.callers[name] }) else { return }
    // The bus knows no program that has ended.
    guard let credentials else { return forget(name) }
    // Nobody knows which client of the agent's own bus this is. All of them reach the Secret Service there.
    guard credentials.process != getpid() else { return forget(name, because: Self.isOwnClient) }
    // A process that could not be looked at is looked at again at its next call.
    guard let seen = try? SeenProcess(credentials) else {
      return forget(name, because: .tryAgain)
    }
    let share = workshop.shares.admit(seen.holder) { [weak self] in self?.forget(name) }
    guard let share else { return forget(name, because: .shareIsUsedUp) }
    guard
      caller.identify(
        .init(
          identity: PeerIdentity(seen), share: share, isProven: credentials.descriptor != nil))
    else {
      return workshop.shares.remove(share)
    }
    advance(caller)
  }

  /// Forgets a caller that has ended, or whose share another one needs more. Its sessions end.
  private func forget(_ name: String, because error: AtRestError? = nil) {
    guard let caller = state.withLock({ $0.callers.removeValue(forKey: name) }) else { return }
    let (waiting, share) = caller.end()
    if let share { workshop.shares.remove(share) }
    for waiting in waiting { refuse(waiting.address, error ?? .shareIsUsedUp) }
  }

  private func endCallers() {
    for name in state.withLock({ Array($0.callers.keys) }) { forget(name) }
  }

  // MARK: Signals

  func emit(_ signal: BusMessage, to name: String) {
    guard state.withLock({ $0.callers[name] }) != nil else { return }
    var signal = signal
    signal.destination = name
    output.add(BusOutput.Message(bytes: AgentSecret(sent(signal).encoded())))
  }

  func emit(_ signal: BusMessage, toThoseKnowingItemsOf collection: String?) {
    guard let collection else {
      // Programs listen to the owner of the name.
      guard state.withLock({ $0.hasName }) else { return }
      return output.add(BusOutput.Message(bytes: AgentSecret(sent(signal).encoded())))
    }
    let callers = state.withLock { Array($0.callers.values) }
    for caller in callers where caller.knowsItems(of: collection) { emit(signal, to: caller.name) }
  }

  func note(_ name: String, knowsItemsOf collection: String) {
    state.withLock { $0.callers[name] }?.note(knowsItemsOf: collection)
  }

  func hasClient(knowingItemsOf collection: String) -> Bool {
    state.withLock { Array($0.callers.values) }.contains { $0.knowsItems(of: collection) }
  }
}
