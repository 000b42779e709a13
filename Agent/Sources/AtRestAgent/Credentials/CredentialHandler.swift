import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import NIOCore
import NIOPosix

/// Writes the credential that systemd requests to the connection, and ends it.
///
/// The protocol has no form for a refusal: nothing is written then, and the log has the reason. A
/// connection whose answer is not read ends after ten seconds.
final class CredentialHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let workers: Workers
  private let shares: Shares
  private let share: Shares.Share
  private let connection: ProtectedConnection
  private let find: @Sendable () throws -> FrameAnswer

  init(
    workers: Workers, shares: Shares, share: Shares.Share, connection: ProtectedConnection,
    find: @escaping @Sendable () throws -> FrameAnswer
  ) {
    (self.workers, self.shares, self.share) = (workers, shares, share)
    (self.connection, self.find) = (connection, find)
  }

  func channelActive(context: ChannelHandlerContext) {
    let (channel, connection) = (context.channel, connection)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    share.isBusy = true
    context.eventLoop.scheduleTask(in: .seconds(ConnectionHandler.secondsForFrame)) {
      channel.close(promise: nil)
    }
    workers.run(.usual, for: share.holder, on: context.eventLoop, find).whenComplete { result in
      let context = bound.value
      guard case .success(let answer) = result,
        let written = Frame.write(answer, on: connection, lengthFirst: false, to: context)
      else { return context.close(promise: nil) }
      written.whenComplete { _ in channel.close(promise: nil) }
    }
  }

  func channelInactive(context: ChannelHandlerContext) { shares.remove(share) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
