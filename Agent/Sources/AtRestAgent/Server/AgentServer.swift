import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import CAtRestPeer
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Serves clients on Unix sockets.
package final class AgentServer: Sendable {
  let group: MultiThreadedEventLoopGroup
  let workers = Workers()
  let service: AgentService
  let judge: ConnectionHandler.Judge
  let shares = Shares(user: geteuid())
  private let channels = Mutex<[any Channel]>([])
  private let sockets: BoundSockets
  /// Called when the server stops, when the keys are erased already.
  let whenStopped = Mutex<[@Sendable () -> Void]>([])
  private let secondsForFrame: Int64

  /// Creates a server, which listens nowhere yet.
  ///
  /// - Parameters:
  ///   - secondsForFrame: The seconds within which a client has to finish a message.
  ///   - whenLost: Gets the path of a socket that this server bound, within seconds after the socket was
  ///     removed or replaced. The store is locked then, and the server should be stopped. Called once.
  package convenience init(
    _ service: AgentService, secondsForFrame: Int64 = 10,
    whenLost: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let digests = ProgramDigests()
    self.init(service, secondsForFrame: secondsForFrame, whenLost: whenLost) { seen, mayWait in
      mayWait ? try? Peer(seen, digests: digests) : Peer(withoutWaiting: seen, digests: digests)
    }
  }

  /// - Parameter judge: Judges the process at the other end of a connection.
  init(
    _ service: AgentService, secondsForFrame: Int64 = 10,
    whenLost: @escaping @Sendable (String) -> Void = { _ in },
    judge: @escaping ConnectionHandler.Judge
  ) {
    let sockets = BoundSockets()
    self.sockets = sockets
    self.service = service
    self.judge = judge
    self.secondsForFrame = secondsForFrame
    group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let thread = Thread {
      var isLost = false
      while true {
        sleep(1)
        guard !service.isEnding else { return }
        service.doRegularWork()
        guard !isLost, let path = sockets.lost else { continue }
        isLost = true
        service.lock(because: "socket gone")
        whenLost(path)
      }
    }
    thread.name = "clock"
    thread.start()
  }

  /// The number of connections with a request in work.
  var busyConnections: Int { shares.busyCount }

  /// Listens for the agent's own protocol.
  ///
  /// - Throws: The errors of opening the socket.
  package func listen(_ listener: AgentListener) throws {
    try listen(listener, RequestService(service: service))
  }

  /// Listens for the ssh-agent protocol.
  ///
  /// - Parameters:
  ///   - confirmation: The way in which the use of a key is confirmed.
  ///   - takesPasscode: True to unlock the store with `ssh-add -X`.
  /// - Throws: The errors of opening the socket.
  package func listenForSSH(
    _ listener: AgentListener, confirmation: Prompt, takesPasscode: Bool = false
  ) throws {
    try listen(
      listener,
      SSHService(service: service, confirmation: confirmation, takesPasscode: takesPasscode))
  }

  /// Listens for requests of systemd for credentials.
  ///
  /// - Parameter manager: The user whose service manager may ask: root for the system's.
  /// - Throws: The errors of opening the socket.
  package func listenForCredentials(_ listener: AgentListener, manager: UInt32 = 0) throws {
    // systemd ends its own direction as soon as it has connected.
    try listen(listener, allowsHalfClosure: true) {
      [workers, service, shares] channel, share, connection, _ in
      let request = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
        of: NIOBSDSocket.Handle.self
      ) { CredentialRequest(socket: $0) }
      return CredentialHandler(
        workers: workers, shares: shares, share: share, connection: connection
      ) {
        try service.credential(request ?? nil, from: share.holder.peer, manager: manager)
      }
    }
  }

  func listen(_ listener: AgentListener, _ frames: any FrameService) throws {
    try listen(listener) { [self] _, share, connection, seen in
      ConnectionHandler(
        frames, for: seen, workers: workers, shares: shares, share: share, connection: connection,
        secondsForFrame: secondsForFrame, judge: judge)
    } refused: { channel, error in
      // The client reads this in place of the answer to its first request.
      let answer = frames.refusal(error)
      guard answer.bytes.count > 0 else { return nil }
      var message = channel.allocator.buffer(capacity: Frame.lengthSize + answer.bytes.count)
      message.writeInteger(UInt32(answer.bytes.count))
      answer.bytes.withUnsafeBytes { _ = message.writeBytes($0) }
      return message
    }
  }

  /// Makes what serves a connection.
  private typealias MakeHandler =
    @Sendable (any Channel, Shares.Share, ProtectedConnection, SeenProcess) throws ->
    any ChannelInboundHandler

  /// Makes the bytes that refuse a connection, or nil.
  private typealias Refusal = @Sendable (any Channel, AtRestError) -> ByteBuffer?

  private func listen(
    _ listener: AgentListener, allowsHalfClosure: Bool = false,
    _ makeHandler: @escaping MakeHandler,
    refused: @escaping Refusal = { _, _ in nil }
  ) throws {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: allowsHalfClosure)
      .childChannelInitializer { [self] channel in add(to: channel, makeHandler, refused) }
    let channel: any Channel
    switch listener {
    case .descriptor(let descriptor):
      channel = try bootstrap.withBoundSocket(descriptor).wait()
    case .path(let path):
      channel = try bootstrap.withBoundSocket(sockets.bind(to: path)).wait()
    }
    channels.withLock { $0.append(channel) }
  }

  private func add(
    to channel: any Channel, _ makeHandler: MakeHandler,
    _ refused: @escaping Refusal
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      // Nothing is read from the connection before, so no answer is sent to a process that was not seen.
      let accepted = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
        of: NIOBSDSocket.Handle.self
      ) { socket in
        // SwiftNIO leaves the descriptor to programs that this process starts, and a connection ends only when
        // none has it any more.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        // A client that only connects costs no look at its process.
        return atrest_has_hung_up(socket) == 1
          ? nil : SeenProcess(socket: socket).map { (socket, $0) }
      }
      guard let accepted, let (socket, seen) = accepted else {
        throw ChannelError.ioOnClosedChannel
      }
      // A process that could not be looked at would be misjudged for as long as the connection lasts.
      guard !seen.lacksDescriptors else { return try refuse(channel) { refused($0, .tryAgain) } }
      guard let share = shares.admit(seen.holder, end: { channel.close(promise: nil) }) else {
        return try refuse(channel) { refused($0, .shareIsUsedUp) }
      }
      let locks = service.lockCount
      let connection = locks.connection(on: socket)
      channel.closeFuture.whenComplete { [shares] _ in
        shares.remove(share)
        locks.remove(connection)
      }
      try channel.pipeline.syncOperations.addHandler(
        makeHandler(channel, share, connection, seen))
    }
  }

  private func refuse(
    _ channel: any Channel, _ answer: @escaping @Sendable (any Channel) -> ByteBuffer?
  ) throws {
    try channel.pipeline.syncOperations.addHandler(RefusingHandler(answer))
  }

  /// Stops listening, ends all connections, removes the sockets, and locks the store.
  package func stop() {
    // The keys go first, whatever the rest waits for.
    service.end()
    for end in whenStopped.withLock({ $0 }) { end() }
    for channel in channels.withLock({ $0 }) { try? channel.close().wait() }
    workers.stop()
    try? group.syncShutdownGracefully()
    sockets.removeAll()
  }
}

/// Answers a client that has too many connections, and ends the connection.
private final class RefusingHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let answer: @Sendable (any Channel) -> ByteBuffer?

  init(_ answer: @escaping @Sendable (any Channel) -> ByteBuffer?) { self.answer = answer }

  func channelActive(context: ChannelHandlerContext) {
    guard let answer = answer(context.channel) else { return context.close(promise: nil) }
    let channel = context.channel
    context.writeAndFlush(NIOAny(answer)).whenComplete { _ in channel.close(promise: nil) }
  }
}
