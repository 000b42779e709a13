import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A connection that sends what a test says, byte by byte if need be.
final class RawConnection: Sendable {
  private let channel: any Channel
  private let received: Received

  private final class Received: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    let text = Mutex("")
    let isClosed = Atomic(false)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let part = String(decoding: unwrapInboundIn(data).readableBytesView, as: UTF8.self)
      text.withLock { $0 += part }
    }
    func channelInactive(context: ChannelHandlerContext) {
      isClosed.store(true, ordering: .releasing)
    }
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }

  /// Connects.
  ///
  /// - Parameters:
  ///   - certificate: The file with the server's certificate, or nil to speak without TLS.
  ///   - address: The address to connect from.
  init(port: Int, certificate: String?, from address: String = "127.0.0.1") throws {
    let received = Received()
    self.received = received
    var context: NIOSSLContext?
    if let certificate {
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.trustRoots = .file(certificate)
      context = try NIOSSLContext(configuration: configuration)
    }
    channel = try ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(to: SocketAddress(ipAddress: address, port: 0))
      .channelInitializer { [context] channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let context {
            try pipeline.addHandler(
              NIOSSLClientHandler(context: context, serverHostname: "localhost"))
          }
          try pipeline.addHandler(received)
        }
      }
      .connect(host: "127.0.0.1", port: port).wait()
  }

  deinit { channel.close(promise: nil) }

  /// Sends text. Errors are ignored, because the server may have closed the connection.
  func send(_ text: String) {
    try? channel.writeAndFlush(ByteBuffer(string: text)).wait()
  }

  func close() { try? channel.close().wait() }

  var text: String { received.text.withLock { $0 } }
  var isClosed: Bool { received.isClosed.load(ordering: .acquiring) }
}
