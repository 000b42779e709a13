import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import UnixSignals

/// A key server: HTTP/1.1 over TLS 1.3.
package struct KeyServer: Sendable {
  private let handler: RequestHandler
  private let configuration: KeyServerConfiguration
  private let certificates: Certificates
  private let limits: SourceLimits
  private let metrics = ServerMetrics()
  private let threads: NIOThreadPool
  private let logger: Logger

  package init(
    _ store: KeyServerStore, configuration: KeyServerConfiguration, logger: Logger
  ) throws {
    handler = RequestHandler(store: store)
    self.configuration = configuration
    self.logger = logger
    certificates = try Certificates(
      certificate: configuration.certificate, privateKey: configuration.privateKey)
    limits = SourceLimits(configuration.sourceRate)
    threads = NIOThreadPool(numberOfThreads: configuration.workers)
  }

  /// The source of a request.
  struct Context: InitializableFromSource {
    let address: String
    init(source: ApplicationRequestContextSource) {
      address = source.channel.remoteAddress?.ipAddress ?? ""
    }
  }

  /// Serves until the task is cancelled or the process receives SIGTERM or SIGINT. Requests that are
  /// being answered are answered first. SIGHUP reads the certificate again.
  ///
  /// - Parameter onRunning: Receives the port.
  package func run(onRunning: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
    threads.start()
    let application = Application(
      responder: CallbackResponder<Context> { request, context in
        await respond(request, context)
      },
      server: try .tls(
        .http1(
          configuration: .init(
            idleTimeout: .seconds(15),
            httpDecoderConfiguration: .init(
              maxHeaderFieldSize: 4096, maxHeaderListSize: 16_384, maxHeaderFieldCount: 64))),
        tlsConfiguration: certificates.configuration),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port),
        serverName: "atrest-keyserver",
        availableConnectionsDelegate: MaximumAvailableConnections(
          configuration.maximumConnections)),
      onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
      logger: logger)
    let group = ServiceGroup(
      configuration: .init(
        services: [application, Reloading(certificates: certificates, logger: logger)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await group.run()
    } catch {
      try await threads.shutdownGracefully()
      throw error
    }
    try await threads.shutdownGracefully()
  }

  private struct Reloading: Service {
    let certificates: Certificates
    let logger: Logger

    func run() async throws {
      for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
        do {
          try certificates.reload()
          logger.info("The certificate was read again.")
        } catch {
          logger.error("The former certificate stays in use.", metadata: ["error": "\(error)"])
        }
      }
    }
  }

  // MARK: Requests

  private func respond(_ request: Request, _ context: Context) async -> Response {
    let start = ContinuousClock.now
    let path = request.uri.path
    let response: Response
    switch (request.method, path) {
    case (.get, "/health"): response = await health()
    case (.get, "/metrics"): response = Self.text(.ok, metrics.text)
    case (.post, _) where RequestHandler.paths.contains(path):
      response = await answer(request, path, context)
    default:
      response = Self.text(.notFound, "No such path.\n")
    }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let name = RequestHandler.paths.contains(path) ? path : "other"
    metrics.record(path: name, status: response.status.code, seconds: elapsed)
    logger.debug(
      "request",
      metadata: ["path": "\(name)", "status": "\(response.status.code)", "seconds": "\(elapsed)"])
    return response
  }

  private func health() async -> Response {
    do {
      try await onThread { try handler.store.checkHealth() }
      return Self.text(.ok, "ok\n")
    } catch {
      return Self.text(.serviceUnavailable, "The database cannot be reached.\n")
    }
  }

  private func answer(_ request: Request, _ path: String, _ context: Context) async -> Response {
    do {
      guard limits.allows(context.address) else {
        throw AtRestError(
          .throttled, "This address sent too many requests.", remedy: "Wait a second.",
          cause: RetryTime(date: Date().addingTimeInterval(1)))
      }
      let body: ByteBuffer
      do {
        body = try await request.body.collect(upTo: Limits.body)
      } catch {
        throw AtRestError(damaged: "The body is too long, or was cut off.")
      }
      func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
      }
      let input = RequestHandler.Input(
        path: path, body: Data(body.readableBytesView),
        device: header(SignedRequest.deviceHeader),
        sequence: header(SignedRequest.sequenceHeader),
        signature: header(SignedRequest.signatureHeader))
      let data = try await onThread { try handler.answer(input) }
      return Self.binary(.ok, data)
    } catch {
      let (status, body) = RequestHandler.refusal(error)
      if status >= 500 { logger.error("request failed", metadata: ["error": "\(error)"]) }
      return Self.binary(.init(code: status), body.encoded)
    }
  }

  private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await threads.runIfActive { try body() }
  }

  private static func binary(_ status: HTTPResponse.Status, _ data: Data) -> Response {
    Response(
      status: status,
      headers: [.contentType: "application/octet-stream", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }

  private static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
