@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import NIOCore
import Synchronization

/// The agent's own bus, on which it is the Secret Service.
struct BusService: FrameService {
  let secrets: SecretService
  /// The way to the session's bus, or nil if nothing is passed on to it.
  let relays: BusRelays?

  func makeSession(_ identity: PeerIdentity) -> any FrameSession {
    BusSession(secrets, relays, identity)
  }

  /// A client that is refused before it has logged in gets no message of D-Bus.
  func refusal(_ error: AtRestError) -> AgentSecret { AgentSecret(SecretBytes(count: 0) { _ in }) }
}

/// A connection of D-Bus: it logs in, gets a name, and calls the bus and the Secret Service.
final class BusSession: FrameSession {
  /// The size of the largest message. A secret is as large as one of the agent's own protocol at most.
  private static let largest = AgentRequest.largest
  /// The size of the largest header of a message that is refused by an answer, and not by the end of the connection.
  private static let largestHeader = 64 << 10

  private struct State {
    var login: BusLogin?
    /// True for a client that did not log in as the protocol says.
    var isRefused = false
    /// The message whose bytes were measured, and which is answered next.
    var next: BusMessage?
    /// True if only the header of that message was read, because the whole is too large.
    var isTooLarge = false
    /// The bytes of that message that are still to be skipped.
    var skipped = 0
    /// The last call, for an answer that comes too late.
    var call: BusMessage?
    var sent: UInt32 = 0
    /// The unique name that the client knows, or nil before it has one.
    var address: String?
    /// The connection with the session's bus, which belongs to the loop of the client.
    var relay: NIOLoopBound<BusRelay>?
    /// True if the client sends and takes descriptors.
    var passesDescriptors = false
    var received = DescriptorQueue()
    /// The descriptors of the next message, or nil if some did not arrive.
    var descriptors: [PassedDescriptor]? = []
  }

  let outbox: Outbox? = Outbox()
  var writesLength: Bool { false }
  /// GLib ends a program whose session bus ends the connection.
  var mayBeIdle: Bool { client.name != nil }
  private let secrets: SecretService
  private let relays: BusRelays?
  private let identity: PeerIdentity
  private let client: SecretClient
  private let state: Mutex<State>

  init(_ secrets: SecretService, _ relays: BusRelays?, _ identity: PeerIdentity) {
    self.secrets = secrets
    self.relays = relays
    self.identity = identity
    client = SecretClient(secrets.hub)
    state = Mutex(
      State(
        login: BusLogin(
          guid: secrets.hub.guid, user: identity.peer.user, offersDescriptors: relays != nil)))
  }

  deinit { leave() }

  func connectionEnded() {
    let relay = state.withLock { state in
      defer { state.relay = nil }
      return state.relay
    }
    relay?.value.end()
    leave()
  }

  private func leave() {
    client.end()
    if let name = client.name { secrets.hub.leave(name) }
  }

  // MARK: Other programs

  /// The connection with the session's bus, if the client has one. It belongs to the loop of the client.
  var busRelay: BusRelay? { state.withLock { $0.relay }?.value }
  var relay: (any FrameRelay)? { busRelay }

  func join(on loop: any EventLoop) -> EventLoopFuture<Void> {
    guard let relays, let outbox, relays.mayJoin(identity) else {
      return loop.makeSucceededVoidFuture()
    }
    let (serial, passes) = state.withLock { ($0.next?.serial ?? 1, $0.passesDescriptors) }
    let relay = BusRelay(
      relays, for: identity.holder, outbox, serial: serial, passesDescriptors: passes, on: loop
    ) { [weak self] in try? self?.removeRule($0) }
    state.withLock { $0.relay = NIOLoopBound(relay, eventLoop: loop) }
    return relay.join()
  }

  func receive(_ numbers: [Int32], isCut: Bool) {
    guard let relays else { return numbers.forEach { close($0) } }
    let holder = identity.holder
    let descriptors = numbers.map {
      PassedDescriptor($0, relays.workers.passedDescriptors, for: holder)
    }
    state.withLock { $0.received.add(descriptors, isCut: isCut) }
  }

  func addRule(_ text: String) throws { try secrets.hub.add(text, of: client.name ?? "") }
  func removeRule(_ text: String) throws { try secrets.hub.remove(text, of: client.name ?? "") }

  private var service: AgentService { secrets.service }

  // MARK: Bytes

  func size(of bytes: UnsafeRawBufferPointer) throws -> FrameSize? {
    try state.withLock { state in
      guard !state.isRefused else { throw BusError.malformed }
      if state.login != nil {
        guard let end = bytes.prefix(BusLogin.longestLine).firstIndex(of: UInt8(ascii: "\n")) else {
          if bytes.count >= BusLogin.longestLine { throw BusError.malformed }
          return nil
        }
        return FrameSize(prefix: 0, length: end + 1)
      }
      if state.skipped > 0 {
        return FrameSize(prefix: 0, length: min(bytes.count, state.skipped))
      }
      guard bytes.count >= BusMessage.prefixSize else { return nil }
      let (header, size) = try BusMessage.sizes(prefix: bytes)
      if size > Self.largest {
        guard header <= Self.largestHeader else { throw BusError.malformed }
        guard bytes.count >= header else { return FrameSize(prefix: 0, length: header) }
        let head = try BusMessage(decodingHeader: bytes)
        state.next = head
        state.descriptors = state.received.take(head.descriptors)
        (state.isTooLarge, state.skipped) = (true, size - header)
        return FrameSize(prefix: 0, length: header)
      }
      guard bytes.count >= size else { return FrameSize(prefix: 0, length: size) }
      let whole = UnsafeRawBufferPointer(rebasing: bytes[..<size])
      let head = try BusMessage(decodingHeader: whole)
      // The body of another one is not the agent's to read.
      let isOwn = head.kind == .call && !head.isForOthers
      state.descriptors = state.received.take(head.descriptors)
      if bytes.count == size { state.received.clear() }
      state.next = isOwn ? try BusMessage(decoding: whole) : head
      return FrameSize(prefix: 0, length: size)
    }
  }

  func work(for request: UnsafeRawBufferPointer) -> FrameWork {
    state.withLock { state in
      guard let next = state.next, !state.isTooLarge, next.kind == .call, !next.isForOthers else {
        return .none
      }
      guard next.isForBus else { return secrets.work(for: next) }
      switch next.member {
      case "Hello": return relays == nil || client.name != nil ? .none : .join
      // A name is given to a program that was looked at.
      case "RequestName": return state.relay == nil ? .usual : .none
      default: return .none
      }
    }
  }

  func refusal(_ error: any Error) -> AgentSecret? {
    _ = service.refusal(error, to: identity.peer)
    return nil
  }

  func withheld() -> AgentSecret { refused(service.refusalAfterLock) }

  func overload(_ error: AtRestError) -> AgentSecret {
    state.withLock { state in
      if let next = state.next { state.call = next }
      state.call?.body = []
      state.next = nil
    }
    return refused(error)
  }

  /// Returns the refusal of the last call.
  private func refused(_ error: AtRestError) -> AgentSecret {
    guard let call = state.withLock({ $0.call }), call.wantsReply else { return Self.nothing }
    let failure = BusFailure(error)
    return AgentSecret(
      encoded(call.failure(failure.name, failure.text), from: BusHub.serviceAddress))
  }

  /// The refusal of a message that is too large.
  static let tooLarge = BusFailure(
    BusHub.bus + ".Error.LimitsExceeded",
    "A message has at most \(largest) bytes. Store a smaller secret.")

  private static let nothing = AgentSecret(SecretBytes(count: 0) { _ in })

  // MARK: Messages

  func answer(_ request: UnsafeRawBufferPointer) -> FrameAnswer {
    let locks = service.locks
    let (call, descriptors, isTooLarge, isSkipped) = state.withLock { state in
      defer { (state.next, state.descriptors, state.isTooLarge) = (nil, [], false) }
      let isSkipped = state.next == nil && state.skipped > 0
      if isSkipped { state.skipped -= request.count }
      // A secret in the body is not kept until the next call.
      state.call = state.next
      state.call?.body = []
      return (state.next, state.descriptors, state.isTooLarge, isSkipped)
    }
    guard !isSkipped else { return FrameAnswer(bytes: Self.nothing) }
    guard var call else { return FrameAnswer(bytes: logIn(request)) }
    guard call.kind == .call else {
      // Without a session's bus, replies and signals of clients are for nobody.
      do {
        _ = try passesOn(call, request, descriptors, isTooLarge: isTooLarge)
      } catch {
        busRelay?.fail(call, BusFailure(error))
      }
      return FrameAnswer(bytes: Self.nothing)
    }
    let address = state.withLock { $0.address }
    call.sender = address
    let sender = call.isForBus || call.isForOthers ? BusHub.bus : BusHub.serviceAddress
    var reply: BusMessage
    var isProtected = false
    var whenSent: (@Sendable () -> Void)?
    do {
      // Calls of the Secret Service are answered on other threads.
      if sender == BusHub.bus, try passesOn(call, request, descriptors, isTooLarge: isTooLarge) {
        return FrameAnswer(bytes: Self.nothing)
      }
      if isTooLarge {
        throw Self.tooLarge
      } else if call.isForBus {
        reply = call.reply(try answerAsBus(call))
        if call.member == "Hello" {
          whenSent = { [relay = state.withLock { $0.relay }] in relay?.value.start() }
        }
      } else {
        guard address != nil else {
          throw BusFailure(BusHub.bus + ".Error.AccessDenied", "The first call has to be Hello.")
        }
        let answer = try secrets.answer(call, from: client, identity)
        reply = call.reply(answer.body)
        isProtected = answer.isProtected
        whenSent = answer.whenSent
      }
    } catch {
      let failure = BusFailure(error)
      reply = call.failure(failure.name, failure.text)
    }
    guard call.wantsReply else { return FrameAnswer(bytes: Self.nothing, whenSent: whenSent) }
    return FrameAnswer(
      bytes: AgentSecret(encoded(reply, from: sender)), locks: isProtected ? locks : nil,
      whenSent: whenSent)
  }

  private func encoded(_ message: BusMessage, from sender: String) -> SecretBytes {
    var message = message
    message.sender = sender
    message.serial = state.withLock { state in
      state.sent = state.sent &+ 1 == 0 ? 1 : state.sent &+ 1
      return state.sent
    }
    return message.encoded()
  }

  private func logIn(_ line: UnsafeRawBufferPointer) -> AgentSecret {
    let text = line.filter { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    let answer = state.withLock { state in
      let answer = state.login?.answer(text)
      if answer == .begins {
        state.passesDescriptors = state.login?.passesDescriptors == true
        state.login = nil
      }
      if answer == .ends { state.isRefused = true }
      return answer
    }
    switch answer {
    case .line(let line): return AgentSecret(SecretBytes(utf8: line + "\r\n"))
    // The next bytes are no line of the protocol, and end the connection.
    case .begins, .ends, nil: return Self.nothing
    }
  }

  // MARK: The bus

  private func answerAsBus(_ call: BusMessage) throws -> [BusValue] {
    let hub = secrets.hub
    func text() throws -> String {
      guard let text = call.body.first?.string else { throw BusFailure.arguments("s") }
      return text
    }
    func known(_ name: String) throws -> String {
      guard let owner = hub.owner(of: name) else {
        throw BusFailure(BusHub.bus + ".Error.NameHasNoOwner", "Nobody has the name \(name).")
      }
      return owner
    }
    if call.member == "Hello" { return [.text(try hello())] }
    guard let name = client.name else {
      throw BusFailure(BusHub.bus + ".Error.AccessDenied", "The first call has to be Hello.")
    }
    switch call.member {
    case "AddMatch": try hub.add(text(), of: name)
    case "RemoveMatch": try hub.remove(text(), of: name)
    case "NameHasOwner": return [.boolean(hub.owner(of: try text()) != nil)]
    case "GetNameOwner": return [.text(try known(text()))]
    case "ListNames": return [.texts(hub.names)]
    case "ListActivatableNames": return [.texts([BusHub.bus, BusHub.service])]
    // It runs already.
    case "StartServiceByName":
      _ = try known(text())
      return [.uint32(2)]
    case "GetId": return [.text(hub.guid)]
    case "GetConnectionUnixUser":
      _ = try known(text())
      return [.uint32(geteuid())]
    case "GetConnectionUnixProcessID":
      guard try known(text()) == BusHub.serviceAddress else {
        throw BusFailure(
          BusHub.bus + ".Error.UnixProcessIdUnknown", "Only the agent's own process is known.")
      }
      return [.uint32(UInt32(getpid()))]
    case "RequestName":
      // Otherwise a program in a sandbox could keep others from starting.
      guard Origin(identity.peer) == .ownProgram else {
        throw BusFailure(
          BusHub.bus + ".Error.AccessDenied", "On this bus, a program in a sandbox has no name.")
      }
      return [.uint32(try hub.taken.take(text(), for: name).rawValue)]
    case "ReleaseName": return [.uint32(hub.taken.giveBack(try text(), from: name).rawValue)]
    case "Introspect": return [.text(SecretIntrospection.bus)]
    case "Ping": break
    default: throw BusFailure(BusHub.bus + ".Error.UnknownMethod", "The bus has no such method.")
    }
    return []
  }

  private func hello() throws -> String {
    guard let outbox, client.name == nil else {
      throw BusFailure(BusHub.bus + ".Error.Failed", "Hello was already called.")
    }
    let relay = busRelay
    let name = secrets.hub.join(outbox, of: identity.holder, address: relay?.name)
    client.name = name
    let address = relay?.name ?? name
    if relay?.name == nil { relay?.end() }
    state.withLock { state in
      if relay?.name == nil { state.relay = nil }
      state.address = address
    }
    return address
  }
}

extension BusMessage {
  /// True for a call of the bus itself, also one that names nobody.
  var isForBus: Bool { destination == nil || destination == BusHub.bus }
}
