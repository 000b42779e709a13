import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A transport over TLS 1.3, with a connection for each request.
///
/// The calls block. Do not call them on an event loop.
public struct TLSTransport: KeyServerTransport {
  private let host: String
  private let port: Int
  private let timeout: TimeAmount
  private let context: NIOSSLContext

  /// The files with a client's certificate, for a server that requires one (`--client-ca`).
  public struct ClientCertificate: Sendable {
    let certificate: String
    let privateKey: String

    /// Names the files, which are read when the transport is created.
    ///
    /// - Parameters:
    ///   - certificate: A file with the certificate in PEM form, followed by those of intermediate
    ///     authorities.
    ///   - privateKey: A file with the certificate's private key in PEM form, without a passphrase.
    public init(certificate: String, privateKey: String) {
      self.certificate = certificate
      self.privateKey = privateKey
    }

    fileprivate func add(to configuration: inout TLSConfiguration) throws {
      do {
        configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate)
          .map { .certificate($0) }
      } catch { throw unreadable(certificate, error) }
      do {
        configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: privateKey, format: .pem))
      } catch { throw unreadable(privateKey, error) }
    }

    private func unreadable(_ file: String, _ cause: any Error) -> AtRestError {
      AtRestError(
        .invalidArgument, "\(file) cannot be read, or is not in PEM form.",
        remedy: "Check the file of the client's certificate or private key.", cause: cause)
    }
  }

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - host: The server's name, which its certificate must have.
  ///   - trustRoots: A file with the certificates to trust in PEM form, or nil for the system's.
  ///   - clientCertificate: The certificate of this client, if the server requires one. The server
  ///     checks it in addition to the signatures of requests.
  ///   - timeout: The time to wait for an answer, in seconds.
  /// - Throws: `AtRestError.Code.invalidArgument` if a file cannot be read, or the client's
  ///   certificate and private key do not belong together.
  public init(
    host: String, port: Int = 8443, trustRoots: String? = nil,
    clientCertificate: ClientCertificate? = nil, timeout: Int64 = 10
  ) throws {
    self.host = host
    self.port = port
    self.timeout = .seconds(timeout)
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv13
    if let trustRoots { configuration.trustRoots = .file(trustRoots) }
    try clientCertificate?.add(to: &configuration)
    do {
      context = try NIOSSLContext(configuration: configuration)
    } catch {
      throw AtRestError(
        .invalidArgument,
        "The trusted certificates cannot be read"
          + (clientCertificate == nil
            ? "." : ", or the client's certificate does not belong to its private key."),
        remedy: "Check the file \(trustRoots ?? "of the system")"
          + (clientCertificate.map { ", \($0.certificate) and \($0.privateKey)." } ?? "."),
        cause: error)
    }
  }

  public func send(
    path: String, headers: [(String, String)], body: Data
  ) throws -> (Int, Data) {
    let group = MultiThreadedEventLoopGroup.singleton
    let promise = group.any().makePromise(of: (Int, Data).self)
    var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path)
    head.headers = HTTPHeaders(
      [("host", host), ("content-length", "\(body.count)"), ("connection", "close")] + headers)
    let request = head
    do {
      let channel = try ClientBootstrap(group: group)
        .connectTimeout(timeout)
        .channelInitializer { [context, host, timeout] channel in
          channel.eventLoop.makeCompletedFuture {
            let name = host.contains(where: \.isLetter) && !host.contains(":") ? host : nil
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
            try pipeline.addHTTPClientHandlers()
            try pipeline.addHandler(AnswerCollector(promise, timeout: timeout))
          }
        }
        .connect(host: host, port: port).wait()
      defer { channel.close(promise: nil) }
      channel.write(HTTPClientRequestPart.head(request), promise: nil)
      channel.write(
        HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
      channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
      return try promise.futureResult.wait()
    } catch {
      promise.fail(error)
      throw AtRestError(
        .keyServerOffline, "The key server \(host) cannot be reached.",
        remedy:
          "Check the network and the server's certificate, and whether the server requires one of "
          + "the client, and try again.", cause: error)
    }
  }
}

/// Collects one answer with a body of at most 4 KiB.
private final class AnswerCollector: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private struct Incomplete: Error {}

  private let promise: EventLoopPromise<(Int, Data)>
  private let timeout: TimeAmount
  private var status = 0
  private var body = Data()

  init(_ promise: EventLoopPromise<(Int, Data)>, timeout: TimeAmount) {
    self.promise = promise
    self.timeout = timeout
  }

  func channelActive(context: ChannelHandlerContext) {
    context.eventLoop.scheduleTask(in: timeout) { [promise] in promise.fail(Incomplete()) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): status = Int(head.status.code)
    case .body(let buffer):
      body.append(contentsOf: buffer.readableBytesView)
      if body.count > 4096 { fail(context) }
    case .end: promise.succeed((status, body))
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise.fail(Incomplete())
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
    context.close(promise: nil)
  }

  private func fail(_ context: ChannelHandlerContext) {
    promise.fail(Incomplete())
    context.close(promise: nil)
  }
}
