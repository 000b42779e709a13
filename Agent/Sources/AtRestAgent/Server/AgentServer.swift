import AtRestKeychain
import AtRestCrypto
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Serves clients on Unix sockets.
public final class AgentServer: Sendable {
  private static let mostConnections = 512

  private let group: MultiThreadedEventLoopGroup
  private let workers = Workers()
  private let service: AgentService
  private let digests = ProgramDigests()
  private let connections = Mutex(0)
  private let channels = Mutex<[any Channel]>([])
  /// The locks of the sockets at which this server listens.
  private let locks = Mutex<[Int32]>([])
  private let secondsForFrame: Int64

  /// Creates a server, which listens nowhere yet.
  ///
  /// - Parameter secondsForFrame: The seconds within which a client has to finish a message.
  public init(_ service: AgentService, secondsForFrame: Int64 = 10) {
    self.service = service
    self.secondsForFrame = secondsForFrame
    group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    group.next().scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
      service.lockIfIdle()
    }
  }

  /// Listens for the agent's own protocol.
  ///
  /// - Throws: The errors of opening the socket.
  public func listen(_ listener: AgentListener) throws {
    try listen(listener, RequestService(service: service))
  }

  /// Listens for the ssh-agent protocol.
  ///
  /// - Throws: The errors of opening the socket.
  public func listenForSSH(_ listener: AgentListener, confirmation: Prompt) throws {
    try listen(listener, SSHService(service: service, confirmation: confirmation))
  }

  /// Listens for requests of systemd for credentials.
  ///
  /// - Parameter manager: The user whose service manager may ask: root for the system's.
  /// - Throws: The errors of opening the socket.
  public func listenForCredentials(_ listener: AgentListener, manager: UInt32 = 0) throws {
    try listen(listener) { [self] socket in
      CredentialHandler(workers: workers) { [self] in
        try service.credential(over: socket.number, manager: manager, digests: digests)
      }
    }
  }

  private func listen(_ listener: AgentListener, _ frames: any FrameService) throws {
    try listen(listener) { [self] socket in
      let digests = digests
      return ConnectionHandler(frames, workers: workers, secondsForFrame: secondsForFrame) {
        try Peer(socket: socket.number, digests: digests)
      }
    }
  }

  private func listen(
    _ listener: AgentListener,
    _ makeHandler: @escaping @Sendable (OpenDescriptor) -> any ChannelInboundHandler
  ) throws {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 64)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { [self] channel in add(to: channel, makeHandler) }
    let channel: any Channel
    switch listener {
    case .descriptor(let descriptor):
      channel = try bootstrap.withBoundSocket(descriptor).wait()
    case .path(let path):
      let lock = try AgentListener.prepare(path)
      locks.withLock { $0.append(lock) }
      channel = try bootstrap.withBoundSocket(AgentListener.bound(to: path)).wait()
    }
    channels.withLock { $0.append(channel) }
  }

  private func add(
    to channel: any Channel, _ makeHandler: (OpenDescriptor) -> any ChannelInboundHandler
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let isFull = connections.withLock { count in
        guard count < Self.mostConnections else { return true }
        count += 1
        return false
      }
      guard !isFull else { throw ChannelError.connectTimeout(.zero) }
      channel.closeFuture.whenComplete { [self] _ in connections.withLock { $0 -= 1 } }
      // The kernel's record is of the moment of the connection, and does not change.
      let own = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
        of: NIOBSDSocket.Handle.self
      ) { fcntl($0, F_DUPFD_CLOEXEC, 0) }
      guard let own, own >= 0 else { throw ChannelError.ioOnClosedChannel }
      try channel.pipeline.syncOperations.addHandler(makeHandler(OpenDescriptor(own)))
    }
  }

  /// Stops listening, ends all connections, and locks the store.
  public func stop() {
    for channel in channels.withLock({ $0 }) { try? channel.close().wait() }
    service.lock(because: "the agent ends")
    workers.stop()
    try? group.syncShutdownGracefully()
    for lock in locks.withLock({ $0 }) { close(lock) }
    locks.withLock { $0 = [] }
  }
}

/// A descriptor that is closed when its last owner releases it.
private final class OpenDescriptor: Sendable {
  let number: Int32
  init(_ number: Int32) { self.number = number }
  deinit { close(number) }
}
