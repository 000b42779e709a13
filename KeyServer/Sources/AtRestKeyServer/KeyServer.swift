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
import Synchronization
import UnixSignals

/// A key server: HTTP/1.1 over TLS 1.3.
package struct KeyServer: Sendable {
  let handler: RequestHandler
  let limits: SourceLimits
  let metrics = ServerMetrics()
  let threads: NIOThreadPool
  let healthThread = NIOThreadPool(numberOfThreads: 1)
  let logger: Logger
  private let configuration: KeyServerConfiguration
  private let certificates: Certificates
  private let record: DatabaseRecord?
  private let isAlarmed = Alarm()

  /// A flag that several threads use.
  private final class Alarm: Sendable {
    private let value = Atomic(false)
    func store(_ new: Bool) { value.store(new, ordering: .releasing) }
    func exchange(_ new: Bool) -> Bool { value.exchange(new, ordering: .acquiringAndReleasing) }
  }

  /// - Throws: The errors of ``DatabaseRecord``; ``AtRestError/Code/invalidArgument`` for a
  ///   certificate that cannot be used.
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
    record = try configuration.record.map { try DatabaseRecord(path: $0, store: store) }
    try record?.advance()
    if let path = configuration.record, record?.isNew == true {
      logger.warning(
        "There was no record. A new one was made for the database as it is.",
        metadata: ["record": "\(path)"])
    }
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
    healthThread.start()
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
      Repeating(.seconds(600)) {
        await attempt("Old attempts were not removed.") {
          try handler.store.pruneUnknownAccounts()
        }
      },
      Repeating(.seconds(configuration.housekeepingInterval)) { await doHousekeeping() },
      Repeating(.seconds(1)) { await follow() },
    ]
    let group = ServiceGroup(
      configuration: .init(
        services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await group.run()
      // The task may have been cancelled.
      await Task { await doHousekeeping() }.value
    } catch {
      await Task { await doHousekeeping() }.value
      try await stopThreads()
      guard let error = error as? IOError else { throw error }
      throw AtRestError(
        .system, "The server cannot listen on \(configuration.host), port \(configuration.port).",
        remedy: "Choose another address or port.", cause: error)
    }
    try await stopThreads()
  }

  private func stopThreads() async throws {
    try await threads.shutdownGracefully()
    try await healthThread.shutdownGracefully()
  }

  /// False once the database was found to be older than its record. Nothing is answered then, because
  /// attempts that were used up and devices that were revoked would be accepted again.
  var isDatabaseCurrent: Bool { record?.isDatabaseRefused != true }

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

  private func doHousekeeping() async {
    guard isDatabaseCurrent else { return }
    await attempt("Used-up attempts were not written to the audit log.") {
      try handler.store.settleAttempts()
    }
    await attempt("The database was not compared with the record.") { [record, logger] in
      do {
        try record?.advance()
      } catch let error where record?.isDatabaseRefused == true {
        logger.critical("Nothing is answered any more.", metadata: ["error": "\(error)"])
      }
    }
  }

  /// Follows the audit log, so that the server knows soon what others have changed, and so does its record.
  private func follow() async {
    guard isDatabaseCurrent else { return }
    do {
      try await threads.runIfActive {
        try handler.store.observe()
        try record?.follow()
      }
      isAlarmed.store(false)
    } catch let error as AtRestError where [.rolledBack, .damaged].contains(error.code) {
      // Once, and not each second.
      if !isAlarmed.exchange(true) {
        logger.critical("The database is not the one that it was.", metadata: ["error": "\(error)"])
      }
    } catch {
      // A database that does not answer is in the log of the requests.
    }
  }

  /// Runs a closure on a thread of the pool, and logs its failure.
  private func attempt(_ failure: Logger.Message, _ body: @escaping @Sendable () throws -> Void)
    async
  {
    do {
      try await threads.runIfActive { try body() }
    } catch is CancellationError {
      // It is done once more at the end.
    } catch {
      logger.error(failure, metadata: ["error": "\(error)"])
    }
  }

  /// Does something after each interval.
  private struct Repeating: Service {
    let interval: Duration
    let body: @Sendable () async -> Void

    init(_ interval: Duration, _ body: @escaping @Sendable () async -> Void) {
      self.interval = interval
      self.body = body
    }

    func run() async throws {
      await cancelWhenGracefulShutdown {
        while (try? await Task.sleep(for: interval)) != nil { await body() }
      }
    }
  }
}
