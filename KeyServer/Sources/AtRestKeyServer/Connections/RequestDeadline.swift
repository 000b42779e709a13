import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client is too slow: in the handshake, in the head or the body of a
/// request, or in reading the answer.
///
/// Each of these can be stretched without end by a byte now and then, which an idle time does not
/// notice. The time between two requests is limited by the idle time of the server.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let time: TimeAmount
  private var deadline: Scheduled<Void>?
  /// The requests whose answers are not written.
  private var unanswered = 0
  private var isReading = false

  init(_ time: TimeAmount) { self.time = time }

  func channelActive(context: ChannelHandlerContext) {
    arm(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      isReading = true
      unanswered += 1
      if unanswered == 1 { arm(context) }
    case .body: break
    case .end:
      isReading = false
      if unanswered == 0 { deadline?.cancel() }
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else {
      context.write(data, promise: promise)
      return
    }
    let written = promise ?? context.eventLoop.makePromise()
    written.futureResult.assumeIsolated().whenSuccess {
      self.unanswered -= 1
      if self.unanswered > 0 {
        self.arm(context)
      } else if !self.isReading {
        self.deadline?.cancel()
      }
    }
    context.write(data, promise: written)
  }

  private func arm(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      context.close(promise: nil)
    }
  }
}
