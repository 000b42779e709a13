import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// An answer, and the time from the last byte of the request to the last byte of the answer.
struct Answer: Sendable {
  var nanoseconds: UInt64 = 0
  var status: UInt = 0
  var headers: [String] = []
  var body = Data()
}

/// A request, and what happens with its answer.
struct Request: Sendable {
  let path: String
  let body: Data
  /// An artificial delay that is added to the time, in nanoseconds.
  var delay: UInt64 = 0
  let onAnswer: @Sendable (Answer) -> Void
}

/// Sends one request after the other over connections that are kept.
struct Requests: Sendable {
  let port: Int
  let trustRoots: String

  /// Sends requests until there are none.
  ///
  /// - Parameter next: Returns the next request, or nil at the end.
  func send(connections: Int, _ next: @escaping @Sendable () -> Request?) async throws {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv13
    configuration.trustRoots = .file(trustRoots)
    let context = try NIOSSLContext(configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<connections {
        group.addTask {
          let loop = MultiThreadedEventLoopGroup.singleton.next()
          let done = loop.makePromise(of: Void.self)
          let channel = try await ClientBootstrap(group: loop)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
              channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(
                  NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                try pipeline.addHTTPClientHandlers()
                try pipeline.addHandler(RequestLoop(next, done))
              }
            }
            .connect(host: "127.0.0.1", port: port).get()
          try await done.futureResult.get()
          try await channel.close()
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Sends the next request when the former one was answered. The times are taken on the event loop.
private final class RequestLoop: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private struct Closed: Error {}

  private let next: @Sendable () -> Request?
  private let done: EventLoopPromise<Void>
  private var request: Request?
  private var answer = Answer()
  private var start: UInt64 = 0

  init(_ next: @escaping @Sendable () -> Request?, _ done: EventLoopPromise<Void>) {
    self.next = next
    self.done = done
  }

  func channelActive(context: ChannelHandlerContext) { send(context) }

  private func send(_ context: ChannelHandlerContext) {
    guard let request = next() else { return done.succeed() }
    self.request = request
    answer = Answer()
    var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: request.path)
    head.headers = ["host": "localhost", "content-length": "\(request.body.count)"]
    start = DispatchTime.now().uptimeNanoseconds
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: request.body)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      answer.status = head.status.code
      answer.headers = head.headers.map {
        $0.name.lowercased() == "date" ? "date" : "\($0.name): \($0.value)"
      }
    case .body(let buffer): answer.body.append(contentsOf: buffer.readableBytesView)
    case .end:
      guard let request else { return }
      let delayed = DispatchTime.now().uptimeNanoseconds + request.delay
      while request.delay > 0, DispatchTime.now().uptimeNanoseconds < delayed {}
      answer.nanoseconds = DispatchTime.now().uptimeNanoseconds - start
      request.onAnswer(answer)
      send(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) { done.fail(Closed()) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    done.fail(error)
    context.close(promise: nil)
  }
}
