import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A TLS proxy in front of a server. It records every byte that a client sends, after TLS, as it
/// arrives at the server.
final class RecordingProxy: Sendable {
  private let bytes = Recording()
  private let channel: any Channel

  /// The port to connect to in place of the server's.
  var port: Int { channel.localAddress?.port ?? 0 }
  /// The bytes of all requests so far.
  var recorded: Data { bytes.data.withLock { $0 } }

  init(_ server: TestServer) throws {
    let incoming = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: NIOSSLCertificate.fromPEMFile(server.certificate)
          .map { .certificate($0) },
        privateKey: .privateKey(NIOSSLPrivateKey(file: server.privateKey, format: .pem))))
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .file(server.certificate)
    let outgoing = try NIOSSLContext(configuration: configuration)
    channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { [bytes, port = server.port] client in
        client.eventLoop.makeCompletedFuture {
          let requests = Relay { buffer in bytes.append(buffer) }
          try client.pipeline.syncOperations.addHandlers(
            NIOSSLServerHandler(context: incoming), requests)
          ClientBootstrap(group: client.eventLoop)
            .channelInitializer { server in
              server.eventLoop.makeCompletedFuture {
                try server.pipeline.syncOperations.addHandlers(
                  NIOSSLClientHandler(context: outgoing, serverHostname: "localhost"),
                  Relay(to: client))
              }
            }
            .connect(host: "127.0.0.1", port: port)
            .assumeIsolated().whenSuccess { requests.connect($0) }
        }
      }
      .bind(host: "127.0.0.1", port: 0).wait()
  }

  deinit { channel.close(promise: nil) }

  private final class Recording: Sendable {
    let data = Mutex(Data())
    func append(_ buffer: ByteBuffer) {
      data.withLock { $0.append(contentsOf: buffer.readableBytesView) }
    }
  }

  /// Passes bytes on to another channel of the same event loop.
  private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private var other: (any Channel)?
    private var waiting: [ByteBuffer] = []
    private let onRead: (ByteBuffer) -> Void

    init(to other: (any Channel)? = nil, onRead: @escaping (ByteBuffer) -> Void = { _ in }) {
      self.other = other
      self.onRead = onRead
    }

    func connect(_ other: any Channel) {
      self.other = other
      for buffer in waiting { other.writeAndFlush(buffer, promise: nil) }
      waiting = []
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let buffer = unwrapInboundIn(data)
      onRead(buffer)
      if let other { other.writeAndFlush(buffer, promise: nil) } else { waiting.append(buffer) }
    }

    func channelInactive(context: ChannelHandlerContext) { other?.close(promise: nil) }
  }
}
