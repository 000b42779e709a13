import AtRestKeychain
import AtRestCrypto
import NIOCore
import NIOPosix

/// Reads the frames of a connection, and has them answered one after the other.
///
/// Nothing more is read until an answer is written, so a client that only sends fills the buffers of
/// its own socket. A client that begins a frame has to finish it within ten seconds, and has as long
/// to read an answer; a connection without a request ends after five minutes.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  static let secondsForFrame: Int64 = 10
  static let secondsWithoutRequest: Int64 = 300

  private let service: any FrameService
  private let workers: Workers
  private let identify: @Sendable () throws -> Peer
  private let secondsForFrame: Int64
  private var session: (any FrameSession)?
  private var reader = FrameReader()
  private var isBusy = false
  private var isEnding = false
  /// Ends the connection if the rest of a frame does not arrive in time, or if an answer is not read
  /// in time. More bytes of the frame do not extend it.
  private var limit: Scheduled<Void>?
  /// Looks from time to time whether the connection is without a request.
  private var idleCheck: Scheduled<Void>?
  private var lastRequest = NIODeadline.now()
  private var answers = 0

  init(
    _ service: any FrameService, workers: Workers,
    secondsForFrame: Int64 = ConnectionHandler.secondsForFrame,
    identify: @escaping @Sendable () throws -> Peer
  ) {
    self.service = service
    self.workers = workers
    self.secondsForFrame = secondsForFrame
    self.identify = identify
  }

  func channelActive(context: ChannelHandlerContext) {
    // Computing the digest of a program takes long the first time.
    let (identify, service) = (identify, service)
    checkIdle(context, after: .seconds(Self.secondsWithoutRequest))
    run(context, slow: false) {
      service.makeSession(try identify())
    } then: {
      handler, context, result in
      guard case .success(let session) = result else { return context.close(promise: nil) }
      handler.session = session
      handler.advance(context)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    reader.append(unwrapInboundIn(data))
  }

  func channelReadComplete(context: ChannelHandlerContext) { advance(context) }

  func channelInactive(context: ChannelHandlerContext) {
    limit?.cancel()
    idleCheck?.cancel()
    reader = FrameReader()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  // MARK: Requests

  private func advance(_ context: ChannelHandlerContext) {
    guard let session, !isBusy, !isEnding else { return }
    do {
      guard let request = try reader.next(largest: service.largest) else {
        if reader.count > 0, limit == nil { startLimit(context) }
        return context.read()
      }
      limit?.cancel()
      limit = nil
      lastRequest = .now()
      let work = request.bytes.withUnsafeBytes { session.work(for: $0) }
      if work == .quick {
        return write(request.bytes.withUnsafeBytes { session.answer($0) }, context)
      }
      run(context, slow: work == .slow) {
        request.bytes.withUnsafeBytes { session.answer($0) }
      } then: { handler, context, result in
        guard case .success(let answer) = result else { return context.close(promise: nil) }
        handler.write(answer, context)
      }
    } catch {
      isEnding = true
      guard let answer = session.refusal(error) else { return context.close(promise: nil) }
      startLimit(context)
      let channel = context.channel
      Frame.write(answer, lengthFirst: true, to: context).whenComplete { _ in
        channel.close(promise: nil)
      }
    }
  }

  /// Writes an answer. The next request is read when the client has taken it.
  private func write(_ answer: AgentSecret, _ context: ChannelHandlerContext) {
    isBusy = true
    answers += 1
    let number = answers
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    Frame.write(answer, lengthFirst: true, to: context).whenSuccess {
      let (handler, context) = bound.value
      handler.isBusy = false
      handler.answers += 1
      guard context.channel.isActive else { return }
      handler.limit?.cancel()
      handler.limit = nil
      if handler.reader.count == 0 { return handler.advance(context) }
      // Other connections come first.
      context.eventLoop.execute {
        let (handler, context) = bound.value
        if context.channel.isActive { handler.advance(context) }
      }
    }
    // Most answers are taken at once.
    if answers == number { startLimit(context) }
  }

  private func startLimit(_ context: ChannelHandlerContext) {
    limit?.cancel()
    let channel = context.channel
    limit = context.eventLoop.scheduleTask(in: .seconds(secondsForFrame)) {
      channel.close(promise: nil)
    }
  }

  /// Ends the connection if it had no request for some time. A timer for each request would take
  /// longer than the request.
  private func checkIdle(_ context: ChannelHandlerContext, after time: TimeAmount) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    idleCheck = context.eventLoop.scheduleTask(in: time) {
      let (handler, context) = bound.value
      let end = handler.lastRequest + .seconds(Self.secondsWithoutRequest)
      if !handler.isBusy && end <= .now() { return context.close(promise: nil) }
      handler.checkIdle(context, after: max(.seconds(1), end - .now()))
    }
  }

  /// Runs work on another thread, and then a closure on the connection's thread.
  private func run<Result: Sendable>(
    _ context: ChannelHandlerContext, slow: Bool, _ work: @escaping @Sendable () throws -> Result,
    then finish:
      @escaping (ConnectionHandler, ChannelHandlerContext, Swift.Result<Result, any Error>)
      -> Void
  ) {
    isBusy = true
    let bound = NIOLoopBound((self, context, finish), eventLoop: context.eventLoop)
    workers.run(slow: slow, on: context.eventLoop, work).whenComplete { result in
      let (handler, context, finish) = bound.value
      handler.isBusy = false
      guard context.channel.isActive else { return }
      finish(handler, context, result)
    }
  }
}
