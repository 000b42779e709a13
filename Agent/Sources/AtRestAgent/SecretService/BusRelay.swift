@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import NIOCore

/// The way from the agent's own bus to the session's bus.
struct BusRelays: Sendable {
  /// The session's bus. The agent decides which one it is, and not the client, which could otherwise have the agent
  /// connect to any socket.
  let address: SessionBusAddress
  /// The number that identifies the agent's own bus.
  let guid: String
  let workers: Workers

  /// True for a client that may reach other programs. One in a sandbox would reach more than its sandbox lets through.
  /// The agent itself is a client of its own bus when it looks for another one.
  func mayJoin(_ identity: PeerIdentity) -> Bool {
    let peer = identity.peer
    return peer.user == geteuid() && peer.process != getpid() && Origin(peer) == .ownProgram
  }
}

/// A connection with the session's bus for one client of the agent's own bus. It belongs to the loop of the client.
///
/// The bus sees the client as a program of its own: the client has the unique name that the bus gives, because other
/// programs make paths of that name, and the numbers of its messages are passed on. It is made when the client says
/// hello, because the client learns its name then.
final class BusRelay: FrameRelay {
  /// The size of the largest message of the bus that is passed on.
  static let largest = 4 << 20
  /// The size up to which a message needs no room in the budget.
  private static let free = 32 << 10
  /// The size of the largest header of a message that is refused by an answer.
  private static let largestHeader = 64 << 10
  /// The bytes that may wait in one direction before no more are read.
  private static let enough = 64 << 10
  /// The bytes to the bus, and the messages to the client, that may wait when those are among them that the relay
  /// itself sends.
  private static let tooMuch = 256 << 10
  private static let tooMany = 4096
  /// The time in which the bus has to give the client a name.
  private static let secondsToJoin: Int64 = 5
  private static let longestLine = 512
  private static let longestName = 255

  private enum Phase {
    /// The bus answers the lines with which a connection begins, of which so many have come.
    case login(Int)
    case hello
    /// The client has a name, but was not told it.
    case named
    case open
    case ended
  }

  private let relays: BusRelays
  private let holder: Holder
  private let outbox: Outbox
  private let loop: any EventLoop
  private let serial: UInt32
  /// True if the client takes descriptors, and then if the bus does too.
  private(set) var passesDescriptors: Bool
  /// Removes a match rule that the bus refused.
  private let removeRule: (String) -> Void

  private var phase = Phase.login(0)
  private var addresses: ArraySlice<String>
  private var joined: EventLoopPromise<Void>?
  private var deadline: Scheduled<Void>?
  private var socket: PassingSocket?
  private var filter = BusRelayFilter(client: "")
  private var roomCame: (() -> Void)?

  private var input = ByteBuffer()
  private var descriptors = DescriptorQueue()
  /// The memory of the message that is being received.
  private var held: Budget.Held?
  /// The bytes of a message that are still to be skipped.
  private var skipped = 0

  /// - Parameters:
  ///   - serial: The number of the client's call of `Hello`, under which the bus gets it too.
  ///   - outbox: Gets what the bus sends to the client.
  init(
    _ relays: BusRelays, for holder: Holder, _ outbox: Outbox, serial: UInt32,
    passesDescriptors: Bool, on loop: any EventLoop, removeRule: @escaping (String) -> Void
  ) {
    (self.relays, self.holder, self.outbox, self.loop) = (relays, holder, outbox, loop)
    (self.serial, self.passesDescriptors) = (serial, passesDescriptors)
    self.removeRule = removeRule
    addresses = relays.address.addresses[...]
  }

  /// The unique name of the client on the session's bus, or nil if it has none.
  var name: String? { isOpen ? filter.client : nil }

  /// True from the time when the client has a name until the bus ends the connection.
  var isOpen: Bool {
    switch phase {
    case .named, .open: true
    default: false
    }
  }

  // MARK: The beginning and the end

  /// Connects to the bus. The result comes when the client has a name there, or cannot have one.
  func join() -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    joined = promise
    let bound = NIOLoopBound(self, eventLoop: loop)
    deadline = loop.scheduleTask(in: .seconds(Self.secondsToJoin)) { bound.value.end() }
    connect()
    return promise.futureResult
  }

  /// Begins to read. The client was told its name.
  func start() {
    guard case .named = phase else { return }
    phase = .open
    goOn()
  }

  /// Ends the connection. Calls that wait fail.
  func end() {
    if case .ended = phase { return }
    phase = .ended
    socket?.end()
    socket = nil
    deadline?.cancel()
    (deadline, held, input, skipped) = (nil, nil, ByteBuffer(), 0)
    descriptors.clear()
    for failure in filter.failAll() { tell(failure) }
    joined?.succeed()
    joined = nil
    // The client's calls of other programs fail at once now.
    roomCame?()
    roomCame = nil
  }

  /// Connects to the next address.
  private func connect() {
    socket?.end()
    (socket, phase, input) = (nil, .login(0), ByteBuffer())
    while let address = addresses.first {
      let file = OpenDescriptor(UnixSocket.make())
      guard let path = BusAddress.path(address), file.number >= 0,
        fcntl(file.number, F_SETFL, O_NONBLOCK) == 0
      else {
        addresses.removeFirst()
        continue
      }
      let isConnected = UnixSocket.connect(file.number, to: path) == 0
      // The bus has many connections that it did not accept yet.
      if !isConnected, errno == EAGAIN { return connectLater() }
      addresses.removeFirst()
      if isConnected, BusSocket.owner(of: file.number) == geteuid() { return logIn(file) }
    }
    end()
  }

  private func connectLater() {
    let bound = NIOLoopBound(self, eventLoop: loop)
    _ = loop.scheduleTask(in: .milliseconds(20)) {
      let relay = bound.value
      if case .login = relay.phase { relay.connect() }
    }
  }

  /// Sends all that the bus has to answer before the client has a name.
  private func logIn(_ file: OpenDescriptor) {
    let socket = PassingSocket(file, on: loop)
    self.socket = socket
    socket.whenReady { [weak self] in self?.receive() }
    socket.whenDropped { [weak self] in self?.wasNotSent($0) }
    socket.whenSent { [weak self] in
      guard let self else { return }
      goOn()
      if hasRoom { roomCame?() }
    }
    let user = String(geteuid()).utf8.hexadecimal
    let lines = ["\0AUTH EXTERNAL \(user)", passesDescriptors ? "NEGOTIATE_UNIX_FD" : nil, "BEGIN"]
    socket.send(
      PassedMessage(bytes: ByteBuffer(string: lines.compactMap { $0 }.map { $0 + "\r\n" }.joined()))
    )
    let hello = BusMessage.call(
      "Hello", of: BusHub.bus, interface: BusHub.bus, [], serial: serial)
    socket.send(PassedMessage(hello))
    socket.awaitBytes()
  }

  // MARK: What the client sends

  var hasRoom: Bool {
    guard let socket, isOpen else { return true }
    return socket.count < Self.enough && socket.descriptors < DescriptorQueue.most
      && outbox.passed.messages < Self.tooMany
  }

  func whenRoom(_ body: @escaping () -> Void) { roomCame = body }

  /// Sends a message of the client to the session's bus.
  ///
  /// - Parameters:
  ///   - descriptors: Those that came with the message, or nil if some did not arrive.
  ///   - answer: The answer that the client waits for.
  /// - Throws: ``BusFailure`` if the descriptors did not arrive, or if too much waits already.
  func send(
    _ bytes: UnsafeRawBufferPointer, _ message: BusMessage, _ descriptors: [PassedDescriptor]?,
    expecting answer: BusRelayFilter.Answer
  ) throws {
    guard let descriptors, descriptors.isEmpty || passesDescriptors else {
      throw BusFailure(
        BusHub.bus + ".Error.LimitsExceeded", "The descriptors of the message did not arrive.")
    }
    let held = hold(bytes.count)
    guard bytes.count <= Self.free || held != nil else {
      throw BusFailure(AtRestError.shareIsUsedUp)
    }
    if message.kind == .call, message.wantsReply, let failure = filter.expect(answer, to: message) {
      tell(failure)
    }
    socket?.send(
      PassedMessage(bytes: ByteBuffer(bytes: bytes), descriptors: descriptors, held: held))
  }

  /// Tells a program that waits for an answer of the client that it cannot be passed on.
  func fail(_ answer: BusMessage, _ failure: BusFailure) {
    guard answer.kind == .reply || answer.kind == .error, let call = answer.answered else { return }
    var address = BusMessage(.call, serial: call)
    address.sender = answer.destination
    var message = address.failure(failure.name, failure.text)
    message.serial = answer.serial
    socket?.send(PassedMessage(message))
  }

  /// Tells who waits for a message of the client, or for its answer, that the system did not take it.
  private func wasNotSent(_ message: PassedMessage) {
    guard let head = Self.head(of: message.bytes) else { return }
    if head.kind == .call {
      if let failure = filter.fail(head.serial, Self.tooManyDescriptors) { tell(failure) }
    } else {
      fail(head, Self.tooManyDescriptors)
    }
  }

  private static let tooManyDescriptors = BusFailure(
    BusHub.bus + ".Error.LimitsExceeded", "Too many descriptors of this user were not received yet."
  )

  /// Takes memory for a message, unless it takes little.
  private func hold(_ count: Int) -> Budget.Held? {
    count > Self.free ? relays.workers.passed.hold(count, for: holder) : nil
  }

  // MARK: What the bus sends

  func wasDropped(_ message: PassedMessage) {
    guard isOpen, let head = Self.head(of: message.bytes) else { return }
    if head.kind == .call, head.wantsReply {
      var answer = head.failure(Self.tooManyDescriptors.name, Self.tooManyDescriptors.text)
      answer.serial = head.serial
      socket?.send(PassedMessage(answer))
    } else if let call = head.answered {
      tell(filter.failure(of: call, Self.tooManyDescriptors))
    }
  }

  /// Reads on, if the client has not enough to read.
  func goOn() {
    guard isOpen, let socket else { return }
    do { try advance() } catch { return end() }
    if mayRead { socket.awaitBytes() }
  }

  private var mayRead: Bool {
    guard case .open = phase, let socket else { return false }
    let passed = outbox.passed
    return passed.bytes < Self.enough && passed.descriptors < DescriptorQueue.most
      && socket.count < Self.tooMuch
  }

  private func receive() {
    switch socket?.receive(atMost: PassingSocket.part) {
    case .bytes(var bytes, let numbers, let isCut):
      let budget = relays.workers.passedDescriptors
      descriptors.add(numbers.map { PassedDescriptor($0, budget, for: holder) }, isCut: isCut)
      input.writeBuffer(&bytes)
    case .end:
      if case .login = phase { return connect() }
      return end()
    case .nothing, nil: break
    }
    if isOpen { return goOn() }
    do { try advanceToName() } catch { return connect() }
    if !isOpen { socket?.awaitBytes() }
  }

  /// Reads what the bus answers before the client has a name.
  private func advanceToName() throws {
    while case .login(let count) = phase {
      guard let end = input.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else {
        guard input.readableBytes < Self.longestLine else { throw BusError.malformed }
        return
      }
      let line = input.readString(length: end + 1 - input.readerIndex) ?? ""
      let words = line.split { $0 == " " || $0 == "\r\n" || $0 == "\n" }
      if count == 0 {
        guard words.count == 2, words[0] == "OK", words[1] != relays.guid else {
          throw BusError.malformed
        }
      } else {
        passesDescriptors = words.first == "AGREE_UNIX_FD"
      }
      phase = count == 0 && passesDescriptors ? .login(1) : .hello
    }
    guard let (bytes, _) = try next() else { return }
    // The answer of a bus is small. The memory for a large one would stay held for what comes after it.
    guard held == nil else { throw BusError.malformed }
    let reply = try bytes.withUnsafeReadableBytes { try BusMessage(decoding: $0) }
    guard reply.kind == .reply, reply.answered == serial, reply.sender == BusHub.bus,
      let name = reply.body.first?.string, name.utf8.first == UInt8(ascii: ":"),
      name.utf8.count <= Self.longestName, !BusHub.isOwn(name)
    else { throw BusError.malformed }
    (filter, phase) = (BusRelayFilter(client: name), .named)
    deadline?.cancel()
    joined?.succeed()
    (deadline, joined) = (nil, nil)
  }

  /// Passes on what has arrived.
  private func advance() throws {
    while mayRead, let (bytes, descriptors) = try next() {
      guard let descriptors else {
        refuse(
          bytes,
          BusFailure(
            BusHub.bus + ".Error.LimitsExceeded", "The descriptors of the message did not arrive."))
        continue
      }
      let message = PassedMessage(bytes: bytes, descriptors: descriptors, held: held)
      held = nil
      switch bytes.withUnsafeReadableBytes({ filter.judge($0) }) {
      case .nothing: break
      case .message: outbox.add(message)
      case .other(let other): tell(other)
      case .refusedRule(let rule):
        removeRule(rule)
        outbox.add(message)
      }
    }
  }

  /// Takes the next message, and the descriptors that came with it, or nil for them if some were closed. Returns nil if
  /// it has not arrived yet. A message for which there is no room is refused and skipped.
  private func next() throws -> (ByteBuffer, [PassedDescriptor]?)? {
    while true {
      if skipped > 0 {
        let count = min(skipped, input.readableBytes)
        input.moveReaderIndex(forwardBy: count)
        skipped -= count
      }
      compact()
      guard skipped == 0, input.readableBytes >= BusMessage.prefixSize else { return nil }
      let (header, size) = try input.withUnsafeReadableBytes {
        try BusMessage.sizes(
          prefix: UnsafeRawBufferPointer(rebasing: $0[..<BusMessage.prefixSize]))
      }
      if held == nil, size <= Self.largest { held = hold(size) }
      if size <= Self.free || held != nil, size <= Self.largest {
        guard let bytes = input.getSlice(at: input.readerIndex, length: size) else { return nil }
        // A copy, because a slice would keep all that was received with it.
        let message = ByteBuffer(bytes: bytes.readableBytesView)
        input.moveReaderIndex(forwardBy: size)
        defer { compact() }
        return (message, descriptors.take(Self.descriptors(of: message)))
      }
      let known = min(header, Self.largestHeader)
      guard let bytes = input.getSlice(at: input.readerIndex, length: known) else { return nil }
      if header <= Self.largestHeader {
        _ = descriptors.take(Self.descriptors(of: bytes))
        refuse(bytes, BusRelayFilter.tooLarge)
      }
      skipped = size
    }
  }

  private static func descriptors(of bytes: ByteBuffer) -> UInt32 {
    head(of: bytes)?.descriptors ?? 0
  }

  private static func head(of bytes: ByteBuffer) -> BusMessage? {
    bytes.withUnsafeReadableBytes { try? BusMessage(decodingHeader: $0) }
  }

  /// Gives back the memory of what was read.
  private func compact() {
    guard input.readableBytes == 0 else {
      input.discardReadBytes()
      return
    }
    if input.capacity > 2 * PassingSocket.part { input = ByteBuffer() } else { input.clear() }
    if skipped == 0 { descriptors.clear() }
  }

  /// Refuses a message that cannot be passed on.
  private func refuse(_ bytes: ByteBuffer, _ failure: BusFailure) {
    held = nil
    switch bytes.withUnsafeReadableBytes({ filter.refuse($0, failure) }) {
    case .toClient(let message): tell(message)
    case .toBus(let message): socket?.send(PassedMessage(message))
    case nil: break
    }
  }

  private func tell(_ message: BusMessage) { outbox.add(PassedMessage(message)) }
}

extension PassedMessage {
  /// A message of the relay itself.
  fileprivate init(_ message: BusMessage) {
    self.init(bytes: message.encoded().withUnsafeBytes { ByteBuffer(bytes: $0) })
  }
}
