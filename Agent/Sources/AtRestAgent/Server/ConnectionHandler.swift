import AtRestCrypto
@_spi(Tools) import AtRestKeychain
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

  /// Judges a process. Returns nil if it may not wait for a file system, and would have to.
  typealias Judge = @Sendable (_ seen: SeenProcess, _ mayWait: Bool) -> Peer?

  static let secondsForFrame: Int64 = 10
  static let secondsWithoutRequest: Int64 = 300

  private let service: any FrameService
  private let workers: Workers
  private let share: Shares.Share
  private let shares: Shares
  private let connection: ProtectedConnection
  private let identity: PeerIdentity
  private let session: any FrameSession
  private let secondsForFrame: Int64
  private let judge: Judge
  private var reader: FrameReader
  private var isBusy = false {
    didSet { share.isBusy = isBusy }
  }
  private var isEnding = false
  /// Ends the connection if the rest of a frame does not arrive in time, or if an answer is not read
  /// in time. More bytes of the frame do not extend it.
  private var limit: Scheduled<Void>?
  /// Looks from time to time whether the connection is without a request.
  private var idleCheck: Scheduled<Void>?
  private var lastRequest = NIODeadline.now()
  private var answers = 0

  init(
    _ service: any FrameService, for seen: SeenProcess, workers: Workers, shares: Shares,
    share: Shares.Share, connection: ProtectedConnection,
    secondsForFrame: Int64 = ConnectionHandler.secondsForFrame, judge: @escaping Judge
  ) {
    self.service = service
    self.judge = judge
    self.workers = workers
    self.shares = shares
    self.share = share
    self.connection = connection
    self.secondsForFrame = secondsForFrame
    identity = PeerIdentity(seen)
    session = service.makeSession(identity)
    reader = FrameReader(workers.requests, for: share.holder)
  }

  func channelActive(context: ChannelHandlerContext) {
    checkIdle(context, after: .seconds(Self.secondsWithoutRequest))
    if let outbox = session.outbox {
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let channel = context.channel
      outbox.whenFilled {
        guard channel.isActive else { return }
        channel.eventLoop.execute {
          let (handler, context) = bound.value
          if context.channel.isActive { handler.sendWaiting(context) }
        }
      }
    }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isEnding else { return Frame.erase(unwrapInboundIn(data)) }
    do { try reader.append(unwrapInboundIn(data)) } catch { end(context, with: error) }
  }

  func channelReadComplete(context: ChannelHandlerContext) { advance(context) }

  func channelInactive(context: ChannelHandlerContext) {
    limit?.cancel()
    idleCheck?.cancel()
    session.outbox?.whenFilled(nil)
    session.connectionEnded()
    reader = FrameReader()
    shares.remove(share)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  // MARK: Requests

  private func advance(_ context: ChannelHandlerContext) {
    guard !isBusy, !isEnding else { return }
    do {
      guard let message = try reader.next(session.size(of:)) else {
        if reader.count > 0, limit == nil { startLimit(context) }
        return context.read()
      }
      let request = try FrameRequest(message, workers.queued, for: share.holder)
      limit?.cancel()
      limit = nil
      lastRequest = .now()
      shares.touch(share)
      carryOut(request, context)
    } catch {
      end(context, with: error)
    }
  }

  /// Has a request answered, by the threads for its kind.
  private func carryOut(_ request: FrameRequest, _ context: ChannelHandlerContext) {
    let session = session
    let work = request.work(of: session)
    if work.needsEvidence, !identity.isKnown {
      return identify(context) { handler, context in handler.carryOut(request, context) }
    }
    if work == .none { return write(request.answer(by: session), context) }
    if work == .quick, let answer = workers.gate.quick({ request.answer(by: session) }) {
      return write(answer, context)
    }
    // Before a large answer is made, there has to be room for it.
    if work == .large, workers.answers.used > Self.mostBeforeLarge {
      return write(FrameAnswer(bytes: session.overload(.shareIsUsedUp)), context)
    }
    isBusy = true
    resume(
      workers.run(work, for: share.holder, on: context.eventLoop) {
        request.answer(by: session)
      }, context
    ) { handler, context, answer in handler.write(answer, context) }
  }

  /// The bytes of answers that may wait while a large one is made.
  static let mostBeforeLarge = 8 << 20

  /// Judges the process, and then goes on. Only the file systems of some programs have to be asked, on threads
  /// of their own.
  private func identify(
    _ context: ChannelHandlerContext, mayWait: Bool = false,
    then finish: @escaping (ConnectionHandler, ChannelHandlerContext) -> Void
  ) {
    isBusy = true
    let (identity, judge) = (identity, judge)
    resume(
      workers.identify(for: share.holder, mayWait: mayWait, on: context.eventLoop) {
        identity.judge { judge($0, mayWait) }
      }, context
    ) { handler, context, _ in
      if identity.isKnown { return finish(handler, context) }
      // There was no descriptor to look with. The client asks again.
      if mayWait {
        return handler.write(
          FrameAnswer(bytes: handler.session.overload(.tryAgain)), context)
      }
      handler.identify(context, mayWait: true, then: finish)
    }
  }

  /// Goes on when work on other threads has ended.
  private func resume<Result: Sendable>(
    _ work: EventLoopFuture<Result>, _ context: ChannelHandlerContext,
    then finish: @escaping (ConnectionHandler, ChannelHandlerContext, Result) -> Void
  ) {
    let bound = NIOLoopBound((self, context, finish), eventLoop: context.eventLoop)
    work.whenComplete { result in
      let (handler, context, finish) = bound.value
      handler.isBusy = false
      guard context.channel.isActive else { return }
      guard case .success(let result) = result else { return context.close(promise: nil) }
      finish(handler, context, result)
    }
  }

  // MARK: Answers

  /// Sends what the outbox has, unless an answer is being made: it is sent before that.
  private func sendWaiting(_ context: ChannelHandlerContext) {
    guard !isBusy, !isEnding else { return }
    sendWaiting(context) { handler, context in
      // More may have come meanwhile.
      handler.sendWaiting(context)
      handler.advance(context)
    }
  }

  /// Sends what the outbox has, if there is anything, and then goes on. Returns false if there is nothing.
  @discardableResult
  private func sendWaiting(
    _ context: ChannelHandlerContext,
    then finish: @escaping (ConnectionHandler, ChannelHandlerContext) -> Void
  ) -> Bool {
    guard let outbox = session.outbox else { return false }
    guard let waiting = outbox.take() else {
      context.close(promise: nil)
      return true
    }
    guard !waiting.isEmpty else { return false }
    isBusy = true
    // The time of half a frame goes on.
    let hasLimit = limit != nil
    if !hasLimit { startLimit(context) }
    let bound = NIOLoopBound((self, context, finish), eventLoop: context.eventLoop)
    Frame.write(.joined(waiting), lengthFirst: session.writesLength, to: context).whenSuccess {
      let (handler, context, finish) = bound.value
      handler.isBusy = false
      if !hasLimit {
        handler.limit?.cancel()
        handler.limit = nil
      }
      if context.channel.isActive { finish(handler, context) }
    }
    return true
  }

  /// Writes an answer. The next request is read when the client has taken it.
  private func write(_ answer: FrameAnswer, _ context: ChannelHandlerContext) {
    // A client learns of a change before the answer to the call that made it.
    if sendWaiting(context, then: { $0.write(answer, $1) }) { return }
    var answer = answer
    var count = answer.bytes.bytes.count
    if count <= Self.freeAnswer {
      count = 0
    } else if !workers.answers.take(count, for: share.holder) {
      (answer, count) = (FrameAnswer(bytes: session.overload(.shareIsUsedUp)), 0)
    }
    isBusy = true
    answers += 1
    let number = answers
    let (budget, holder, whenSent) = (workers.answers, share.holder, answer.whenSent)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let written =
      Frame.write(answer, on: connection, lengthFirst: session.writesLength, to: context)
      ?? Frame.write(session.withheld(), lengthFirst: session.writesLength, to: context)
    if count > 0 { written.whenComplete { [count] _ in budget.give(count, for: holder) } }
    written.whenSuccess {
      whenSent?()
      let (handler, context) = bound.value
      handler.isBusy = false
      handler.answers += 1
      guard context.channel.isActive else { return }
      handler.limit?.cancel()
      handler.limit = nil
      handler.sendWaiting(context)
      guard !handler.isBusy else { return }
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

  /// The size up to which an answer needs no room in the budget.
  static let freeAnswer = 16 << 10

  /// Answers a message that has no valid frame, and ends the connection.
  private func end(_ context: ChannelHandlerContext, with error: any Error) {
    guard !isEnding else { return }
    isEnding = true
    let answer: AgentSecret?
    if let error = error as? AtRestError, error.code == .busy {
      answer = service.refusal(error)
    } else {
      answer = session.refusal(error)
    }
    guard let answer else { return context.close(promise: nil) }
    startLimit(context)
    let channel = context.channel
    Frame.write(answer, lengthFirst: session.writesLength, to: context).whenComplete { _ in
      channel.close(promise: nil)
    }
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
      let isOver = !handler.isBusy && !handler.session.mayBeIdle && end <= .now()
      if isOver { return context.close(promise: nil) }
      handler.checkIdle(context, after: max(.seconds(1), end - .now()))
    }
  }
}
