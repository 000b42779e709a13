import AtRestKeychain
import AtRestCrypto
import NIOCore
import NIOPosix

/// Writes the credential that systemd requests to the connection, and ends it.
///
/// The protocol has no form for a refusal: nothing is written then, and the log has the reason.
final class CredentialHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let workers: Workers
  private let find: @Sendable () throws -> AgentSecret

  init(workers: Workers, find: @escaping @Sendable () throws -> AgentSecret) {
    self.workers = workers
    self.find = find
  }

  func channelActive(context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    workers.run(slow: false, on: context.eventLoop, find).whenComplete { result in
      let context = bound.value
      guard case .success(let secret) = result else { return context.close(promise: nil) }
      var message = context.channel.allocator.buffer(capacity: secret.bytes.count)
      secret.bytes.withUnsafeBytes { _ = message.writeBytes($0) }
      let channel = context.channel
      context.writeAndFlush(NIOAny(message)).whenComplete { _ in channel.close(promise: nil) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
