import AtRestKeychain
import AtRestCrypto
import NIOCore
import NIOPosix

/// Writes the credential that systemd requests to the connection, and ends it.
///
/// The protocol has no form for a refusal: nothing is written then, and the log has the reason.
final class CredentialHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

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
      let channel = context.channel
      Frame.write(secret, lengthFirst: false, to: context).whenComplete { _ in
        channel.close(promise: nil)
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
