@_spi(Tools) import AtRestBus
import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import NIOCore
import NIOPosix
import Synchronization

/// A connection with the session's bus for one client of the agent's own bus.
final class BusRelay: Sendable {
  /// The size of the largest message that is passed on.
  static let largest = AgentRequest.largest
  fileprivate static let largestHeader = 64 << 10
  /// The memory that a message takes beside its bytes.
  private static let overhead = 256

  private struct State {
    var filter: BusRelayFilter
    var channel: (any Channel)?
    var hasEnded = false
  }

  /// The unique name of the client, which the session's bus gave.
  let name: String
  let outbox: Outbox
  fileprivate let workers: Workers
  fileprivate let holder: Holder
  /// The place among the connections with the session's bus.
  private let place: Budget.Held
  private let state: Mutex<State>

  /// Begins to serve a connection that has a name. Nothing is read before ``start()``.
  ///
  /// - Parameter file: The socket, which belongs to the relay from now on.
  init(
    _ file: Int32, name: String, _ outbox: Outbox, _ workers: Workers, for holder: Holder,
    _ place: Budget.Held, on loop: any EventLoop
  ) throws {
    (self.name, self.outbox, self.workers, self.holder) = (name, outbox, workers, holder)
    self.place = place
    state = Mutex(State(filter: BusRelayFilter(client: name)))
    let channel = try ClientBootstrap(group: loop)
      .channelOption(.autoRead, value: false)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(BusRelayHandler(self))
        }
      }
      .withConnectedSocket(file).wait()
    state.withLock { $0.channel = channel }
  }

  /// True until the session's bus ends the connection.
  var isOpen: Bool { state.withLock { !$0.hasEnded } }

  /// Begins to read. The client was told its name.
  func start() { state.withLock { $0.channel }?.read() }

  /// Ends the connection.
  func close() {
    state.withLock { $0.channel }?.close(promise: nil)
  }

  /// Sends a message of the client to the session's bus.
  ///
  /// - Throws: ``BusFailure`` if too much waits already, or if descriptors should come with it.
  func send(
    _ bytes: UnsafeRawBufferPointer, _ message: BusMessage, expecting answer: BusRelayFilter.Answer
  ) throws {
    guard message.descriptors == 0 else {
      throw BusFailure(BusHub.bus + ".Error.NotSupported", "Descriptors are not passed on.")
    }
    guard let held = workers.relayed.hold(bytes.count + Self.overhead, for: holder) else {
      throw BusFailure(AtRestError.shareIsUsedUp)
    }
    let channel = try state.withLock { state in
      guard !state.hasEnded else { throw BusRelayFilter.ended }
      if message.kind == .call, message.wantsReply {
        try state.filter.expect(answer, to: message.serial)
      }
      return state.channel
    }
    guard let channel else { return }
    var buffer = channel.allocator.buffer(capacity: bytes.count)
    buffer.writeBytes(bytes)
    channel.writeAndFlush(buffer).whenComplete { _ in withExtendedLifetime(held) {} }
  }

  // MARK: What the bus sends

  /// Passes a message on to the client.
  fileprivate func hear(_ message: AgentSecret) {
    message.bytes.withUnsafeBytes { bytes in
      guard let held = workers.relayed.hold(bytes.count + Self.overhead, for: holder) else {
        return refuse(bytes)
      }
      switch state.withLock({ $0.filter.judge(bytes) }) {
      case .nothing: break
      case .message: outbox.add(message, held: held)
      case .other(let other): outbox.add(AgentSecret(other.encoded()), held: held)
      }
    }
  }

  /// Refuses a message that is too large.
  fileprivate func refuse(_ bytes: UnsafeRawBufferPointer) {
    guard let refusal = state.withLock({ $0.filter.refuse(bytes) }) else { return }
    outbox.add(AgentSecret(refusal.encoded()))
  }

  fileprivate func end() {
    let failures = state.withLock { state in
      state.hasEnded = true
      return state.filter.failAll()
    }
    for failure in failures { outbox.add(AgentSecret(failure.encoded())) }
  }
}

/// Takes the messages of the session's bus apart. It reads no more while the client has enough to read.
private final class BusRelayHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let relay: BusRelay
  private var reader: FrameReader
  /// The bytes of a message that are still to be skipped.
  private var skipped = 0

  init(_ relay: BusRelay) {
    self.relay = relay
    reader = FrameReader(relay.workers.relayed, for: relay.holder)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    do { try reader.append(unwrapInboundIn(data)) } catch { context.close(promise: nil) }
  }

  func channelReadComplete(context: ChannelHandlerContext) { advance(context) }

  func channelInactive(context: ChannelHandlerContext) {
    reader = FrameReader()
    relay.end()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func advance(_ context: ChannelHandlerContext) {
    let loop = context.eventLoop
    let bound = NIOLoopBound((self, context), eventLoop: loop)
    let goOn: @Sendable () -> Void = {
      loop.execute {
        let (handler, context) = bound.value
        if context.channel.isActive { handler.advance(context) }
      }
    }
    do {
      while relay.outbox.hasRoom(orCall: goOn) {
        guard let message = try reader.next(measure) else { return context.read() }
        relay.hear(message)
      }
    } catch {
      context.close(promise: nil)
    }
  }

  /// Returns the size of the next message. What is skipped counts as the bytes before an empty one.
  private func measure(_ bytes: UnsafeRawBufferPointer) throws -> FrameSize? {
    if skipped > 0 { return skip(bytes) }
    guard bytes.count >= BusMessage.prefixSize else { return nil }
    let (header, size) = try BusMessage.sizes(prefix: bytes)
    guard size > BusRelay.largest else { return FrameSize(prefix: 0, length: size) }
    if header <= BusRelay.largestHeader {
      guard bytes.count >= header else { return nil }
      relay.refuse(UnsafeRawBufferPointer(rebasing: bytes[..<header]))
    }
    skipped = size
    return skip(bytes)
  }

  private func skip(_ bytes: UnsafeRawBufferPointer) -> FrameSize {
    let count = min(bytes.count, skipped)
    skipped -= count
    return FrameSize(prefix: count, length: 0)
  }
}
