import AtRestCrypto
import AtRestKeyServerStore
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// A key server: HTTP/1.1 over TLS 1.3.
package struct KeyServer: Sendable {
  let handler: RequestHandler
  let limits: SourceLimits
  let metrics = ServerMetrics()
  let threads: NIOThreadPool
  let logger: Logger
  private let configuration: KeyServerConfiguration
  private let certificates: Certificates

  package init(
    _ store: KeyServerStore, configuration: KeyServerConfiguration, logger: Logger
  ) throws {
    handler = RequestHandler(
      store: store, names: NameLimits(maximum: configuration.namesPerSource))
    self.configuration = configuration
    self.logger = logger
    certificates = try Certificates(
      certificate: configuration.certificate, privateKey: configuration.privateKey,
      clientAuthority: configuration.clientAuthority)
    limits = SourceLimits(configuration.sourceRate)
    threads = NIOThreadPool(numberOfThreads: configuration.workers)
  }

  /// The source of a request.
  struct Context: InitializableFromSource {
    let source: RequestSource
    init(source: ApplicationRequestContextSource) {
      self.source = RequestSource(source.channel.remoteAddress)
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
      server: httpServer,
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port),
        serverName: "atrest-keyserver",
        availableConnectionsDelegate: MaximumAvailableConnections(
          configuration.maximumConnections)),
      onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
      logger: logger)
    let services: [any Service] = [
      application, Reloading(certificates: certificates, logger: logger),
      Pruning(store: handler.store, threads: threads, logger: logger),
    ]
    let group = ServiceGroup(
      configuration: .init(
        services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await group.run()
    } catch {
      try await threads.shutdownGracefully()
      guard let error = error as? IOError else { throw error }
      throw AtRestError(
        .system, "The server cannot listen on \(configuration.host), port \(configuration.port).",
        remedy: "Choose another address or port.", cause: error)
    }
    try await threads.shutdownGracefully()
  }

  private var httpServer: HTTPServerBuilder {
    let time = TimeAmount.milliseconds(Int64(configuration.requestTimeout * 1000))
    return HTTPServerBuilder { [configuration, certificates] responder in
      let http = HTTP1Channel(
        responder: responder,
        configuration: .init(
          additionalChannelHandlers: [RequestDeadline(time)], idleTimeout: .seconds(15),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 4096, maxHeaderListSize: 16_384, maxHeaderFieldCount: 64)))
      return LimitedChannel(
        try TLSChannel(http, tlsConfiguration: certificates.configuration),
        maximum: configuration.maximumConnectionsPerSource)
    }
  }

  private struct Reloading: Service {
    let certificates: Certificates
    let logger: Logger

    func run() async throws {
      for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
        do {
          try certificates.reload()
          logger.notice("The certificate was read again.")
        } catch {
          logger.error("The former certificate stays in use.", metadata: ["error": "\(error)"])
        }
      }
    }
  }

  /// Bounds the attempts at accounts that do not exist, when the server starts and every ten minutes.
  private struct Pruning: Service {
    let store: KeyServerStore
    let threads: NIOThreadPool
    let logger: Logger

    func run() async throws {
      await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
          do {
            try await threads.runIfActive { try store.pruneUnknownAccounts() }
          } catch {
            logger.error("Old attempts were not removed.", metadata: ["error": "\(error)"])
          }
          try? await Task.sleep(for: .seconds(600))
        }
      }
    }
  }
}
