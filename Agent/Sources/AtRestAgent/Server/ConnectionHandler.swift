import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import NIOCore
import NIOPosix

/// Reads the frames of a connection, and has them answered one after the other.
///
/// Nothing more is read until an answer is written, so a client that only sends fills the buffers of
/// its own socket. A client that begins a frame has to finish it within ten seconds, and has as long
/// to read an answer; a connection without a request ends after five minutes. A client whose connection may be
/// idle has as long as it likes to read small answers without secrets, and what it did not ask for.
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
  /// The way to other programs, if the client has one.
  private var relay: (any FrameRelay)?
  /// The socket of a client with a relay. SwiftNIO would drop its descriptors, and what it sent before a write failed.
  private var passing: PassingSocket?
  /// True while a request is carried out, and until its answer is written.
  private var isBusy = false {
    didSet { share.isBusy = isBusy }
  }
  private var isEnding = false
  /// The answer that is written after the messages that were there before it.
  private var waiting: Waiting?
  /// True while messages of the outbox are written.
  private var isSending = false
  /// True while an answer is written.
  private var isWriting = false
  /// Ends the connection if the rest of a frame does not arrive in time, or if an answer is not read
  /// in time. More bytes of the frame do not extend it.
  private var limit: Scheduled<Void>?
  /// Looks from time to time whether the connection is without a request.
  private var idleCheck: Scheduled<Void>?
  private var lastRequest = NIODeadline.now()
  private var answers = 0

  private struct Waiting {
    let answer: FrameAnswer
    /// The bytes that are taken from the budget.
    let count: Int
    /// The number of messages that are sent before.
    let messages: UInt64
  }

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
    passOnRest()
    session.outbox?.end()
    session.connectionEnded()
    passing?.end()
    (relay, passing) = (nil, nil)
    if let waiting { give(waiting.count) }
    waiting = nil
    reader = FrameReader()
    shares.remove(share)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  // MARK: Requests

  private func advance(_ context: ChannelHandlerContext) {
    guard !isBusy, !isEnding else { return }
    guard relay?.hasRoom != false else { return waitForRoom(context) }
    do {
      guard let message = try reader.next(session.size(of:)) else {
        if reader.count > 0, limit == nil { startLimit(context) }
        return read(context)
      }
      let request = try FrameRequest(message, workers.queued, for: share.holder)
      endLimit()
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
    if work == .join { return join(request, context) }
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

  // MARK: Other programs

  /// Connects the client with other programs, and then answers.
  private func join(_ request: FrameRequest, _ context: ChannelHandlerContext) {
    isBusy = true
    let session = session
    resume(session.join(on: context.eventLoop), context) { handler, context, _ in
      let answer = request.answer(by: session)
      handler.useRelay(context)
      handler.write(answer, context)
    }
  }

  private func useRelay(_ context: ChannelHandlerContext) {
    guard let relay = session.relay else { return }
    self.relay = relay
    let loop = context.eventLoop
    let bound = NIOLoopBound((self, context), eventLoop: loop)
    relay.whenRoom {
      loop.execute {
        let (handler, context) = bound.value
        if context.channel.isActive { handler.advance(context) }
      }
    }
    let file = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { fcntl($0, F_DUPFD_CLOEXEC, 0) }
    // Without it, descriptors would be missing from messages.
    guard let file, file >= 0 else { return context.close(promise: nil) }
    passing = PassingSocket(OpenDescriptor(file), on: loop)
    passing?.whenReady {
      let (handler, context) = bound.value
      if context.channel.isActive { handler.receive(context) }
    }
    passing?.whenDropped { bound.value.0.relay?.wasDropped($0) }
  }

  /// Waits until the relay says that it has room. The client is not to blame for the rest of a small frame that is not
  /// read. The memory for a large one is that of all clients, and is not held for long.
  private func waitForRoom(_ context: ChannelHandlerContext) {
    guard reader.count > Self.mostBeforeRoom else { return endLimit() }
    if limit == nil { startLimit(context) }
  }

  private static let mostBeforeRoom = 2 * PassingSocket.smallPart

  /// Passes on what the client sent before its end. A write that failed may have ended the connection before all was
  /// read.
  private func passOnRest() {
    // Another thread may use the state of the session.
    guard relay != nil, !isEnding, !isBusy || isWriting || waiting != nil else { return }
    for _ in 0..<Self.mostOfRest {
      while let message = try? reader.next(session.size(of:)),
        let request = try? FrameRequest(message, workers.queued, for: share.holder)
      {
        if request.work(of: session) == .none { _ = request.answer(by: session) }
      }
      guard
        case .bytes(let bytes, let descriptors, let isCut)? = passing?.receive(
          atMost: PassingSocket.part)
      else { return }
      session.receive(descriptors, isCut: isCut)
      guard (try? reader.append(bytes)) != nil else { return }
    }
  }

  /// The number of parts that are read after the end. The buffer of a socket has fewer.
  private static let mostOfRest = 64

  private func read(_ context: ChannelHandlerContext) {
    if let passing { passing.awaitBytes() } else { context.read() }
  }

  /// Takes bytes and descriptors.
  private func receive(_ context: ChannelHandlerContext) {
    guard !isEnding else { return }
    switch passing?.receive(atMost: PassingSocket.smallPart) {
    case .bytes(let bytes, let descriptors, let isCut):
      session.receive(descriptors, isCut: isCut)
      do { try reader.append(bytes) } catch { return end(context, with: error) }
      advance(context)
    case .end: context.close(promise: nil)
    case .nothing, nil: passing?.awaitBytes()
    }
  }

  // MARK: Answers

  /// Sends what the outbox has, one part after the other, unless an answer is written.
  private func sendWaiting(_ context: ChannelHandlerContext) {
    guard !isSending, !isWriting, !isEnding, let outbox = session.outbox else { return }
    switch outbox.take() {
    case .nothing: return
    case .failure: context.close(promise: nil)
    case .part(let part):
      isSending = true
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      write(part, context).whenSuccess {
        let (handler, context) = bound.value
        handler.isSending = false
        guard context.channel.isActive else { return }
        outbox.sent(part)
        handler.relay?.goOn()
        if handler.waiting != nil { return handler.writeWaiting(context) }
        // More may have come meanwhile.
        handler.sendWaiting(context)
        handler.advance(context)
      }
    }
  }

  private func write(
    _ part: Outbox.Part, _ context: ChannelHandlerContext
  ) -> EventLoopFuture<Void> {
    switch part {
    case .own(let secret):
      return Frame.write(secret, lengthFirst: session.writesLength, to: context)
    case .passed(let messages):
      let promise = context.eventLoop.makePromise(of: Void.self)
      if let passing, messages.contains(where: { !$0.descriptors.isEmpty }) {
        for message in messages { passing.send(message, promise: promise) }
        return promise.futureResult
      }
      for message in messages { context.write(NIOAny(message.bytes), promise: nil) }
      context.writeAndFlush(NIOAny(ByteBuffer()), promise: promise)
      return promise.futureResult
    }
  }

  /// Writes an answer. The next request is read when the client has taken it.
  private func write(_ answer: FrameAnswer, _ context: ChannelHandlerContext) {
    let isEmpty = answer.bytes.bytes.count == 0 && !session.writesLength
    if isEmpty, answer.whenSent == nil { return finish(context) }
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
    let hasLimit = !session.mayBeIdle || count > 0 || answer.locks != nil
    // A client learns of a change before the answer to the call that made it.
    waiting = Waiting(answer: answer, count: count, messages: session.outbox?.added ?? 0)
    writeWaiting(context)
    // Most answers are taken at once.
    if answers == number, hasLimit { startLimit(context) }
  }

  private func writeWaiting(_ context: ChannelHandlerContext) {
    guard !isSending, let waiting else { return }
    if session.outbox?.has(oneOfFirst: waiting.messages) == true { return sendWaiting(context) }
    self.waiting = nil
    isWriting = true
    let (count, whenSent) = (waiting.count, waiting.answer.whenSent)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let written =
      Frame.write(waiting.answer, on: connection, lengthFirst: session.writesLength, to: context)
      ?? Frame.write(session.withheld(), lengthFirst: session.writesLength, to: context)
    written.whenComplete { _ in bound.value.0.give(count) }
    written.whenSuccess {
      whenSent?()
      let (handler, context) = bound.value
      handler.isWriting = false
      handler.answers += 1
      guard context.channel.isActive else { return }
      handler.endLimit()
      handler.isBusy = false
      handler.sendWaiting(context)
      handler.finish(context)
    }
  }

  /// Goes on to the next request.
  private func finish(_ context: ChannelHandlerContext) {
    isBusy = false
    if reader.count == 0 { return advance(context) }
    // Other connections come first.
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.execute {
      let (handler, context) = bound.value
      if context.channel.isActive { handler.advance(context) }
    }
  }

  /// Gives the memory of an answer back.
  private func give(_ count: Int) {
    if count > 0 { workers.answers.give(count, for: share.holder) }
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

  private func endLimit() {
    limit?.cancel()
    limit = nil
  }

  private func startLimit(_ context: ChannelHandlerContext) {
    limit?.cancel()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    limit = context.eventLoop.scheduleTask(in: .seconds(secondsForFrame)) {
      let (handler, context) = bound.value
      guard let waiting = handler.waiting, handler.session.mayBeIdle else {
        return context.close(promise: nil)
      }
      // The client has read nothing of the answer, and learns later that it came too late.
      handler.give(waiting.count)
      handler.waiting = Waiting(
        answer: FrameAnswer(bytes: handler.session.overload(.readTooLate)), count: 0,
        messages: waiting.messages)
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
