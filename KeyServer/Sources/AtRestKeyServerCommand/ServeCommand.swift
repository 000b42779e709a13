import ArgumentParser
import AtRestCrypto
import AtRestKeyServer
import Foundation
import Logging

/// `atrest-keyserver serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves until SIGTERM. SIGHUP reads the certificate again.",
    discussion: """
      Each option can also be set in the environment (ATREST_KEYSERVER_MAX_CONNECTIONS) and in the \
      settings file (max-connections: 500). An option comes before the environment, and the \
      environment before the file.
      """)

  @OptionGroup var options: StoreOptions
  @Option(help: "The address to listen on (127.0.0.1).") var host: String?
  @Option(help: "The port to listen on (8443), or 0 for any free one.") var port: String?
  @Option(help: "The certificate chain in PEM form.") var certificate: String?
  @Option(help: "The certificate's private key in PEM form.") var privateKey: String?
  @Option(
    name: .customLong("client-ca"),
    help: "Certificates (PEM). Each client must have a certificate from one of them.")
  var clientCA: String?
  @Option(
    help: ArgumentHelp(
      "The file with the server key to which the root key will be rotated.", valueName: "file"))
  var nextServerKey: String?
  @Option(
    help: "A file outside the database that shows that the database was restored from a backup.")
  var record: String?
  @Option(help: "The number of threads and of connections to the database (8).")
  var workers: String?
  @Option(help: "The most connections at a time (1000). Further ones wait.")
  var maxConnections: String?
  @Option(help: "The most connections from one address (100). Further ones are closed.")
  var maxConnectionsPerSource: String?
  @Option(help: "The seconds within which a request must arrive and be answered (20).")
  var requestTimeout: String?
  @Option(help: "The requests per second that one address may send on average (50).")
  var sourceRate: String?
  @Option(help: "The requests that one address may send at once (200).") var sourceBurst: String?
  @Option(help: "The accounts that one address may name in an hour without a device (100).")
  var namesPerSource: String?
  @Option(help: "The form of the log on standard error: text or json.") var logFormat: String?
  @Option(help: "The least level that is logged: debug, info, warning or error (info).")
  var logLevel: String?

  private enum Level: String, CaseIterable {
    case debug, info, warning, error

    var level: Logger.Level {
      switch self {
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
    }
  }

  private enum Format: String, CaseIterable { case text, json }

  func run() async throws {
    let settings = try settings()
    let format = try settings.word(.logFormat, default: Format.text)
    let level = try settings.word(.logLevel, default: Level.info)
    let configuration = try configuration(settings)
    LoggingSystem.bootstrap { label in
      switch format {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: JSONLogHandler(label: label)
      }
    }
    var logger = Logger(label: "atrest-keyserver")
    logger.logLevel = level.level
    for variable in settings.unknownVariables {
      logger.warning(
        "This environment variable is not a setting and has no effect.",
        metadata: ["variable": "\(variable)"])
    }
    if configuration.record == nil {
      logger.warning("Without a record, a restored backup of the database is not noticed.")
    }
    let store = try StoreOptions.store(settings, isServer: true)
    if store.wasMigrated {
      logger.notice("The database was brought to version 2. Earlier servers cannot use it.")
    }
    let server = try KeyServer(store, configuration: configuration, logger: logger)
    try await server.run { [logger] port in
      logger.notice("serving", metadata: ["port": "\(port)"])
    }
    logger.notice("stopped")
  }

  private func settings() throws -> Settings {
    let flags: [Setting: String?] = [
      .host: host, .port: port, .nextServerKey: nextServerKey, .certificate: certificate,
      .privateKey: privateKey,
      .clientCA: clientCA, .record: record, .workers: workers, .maxConnections: maxConnections,
      .maxConnectionsPerSource: maxConnectionsPerSource, .requestTimeout: requestTimeout,
      .sourceRate: sourceRate, .sourceBurst: sourceBurst, .namesPerSource: namesPerSource,
      .logFormat: logFormat, .logLevel: logLevel,
    ]
    return try options.settings(flags.compactMapValues { $0 })
  }

  private func configuration(_ settings: Settings) throws -> KeyServerConfiguration {
    var configuration = KeyServerConfiguration(
      host: settings.value(.host)?.text ?? "127.0.0.1",
      port: try settings.integer(.port, in: 0...65_535, default: 8443),
      certificate: try settings.required(.certificate, "The certificate"),
      privateKey: try settings.required(.privateKey, "The private key of the certificate"))
    configuration.clientAuthority = settings.value(.clientCA)?.text
    configuration.record = settings.value(.record)?.text
    configuration.workers = try settings.integer(
      .workers, in: 1...64, default: configuration.workers)
    configuration.maximumConnections = try settings.integer(
      .maxConnections, in: 1...100_000, default: configuration.maximumConnections)
    configuration.maximumConnectionsPerSource = try settings.integer(
      .maxConnectionsPerSource, in: 1...100_000,
      default: configuration.maximumConnectionsPerSource)
    configuration.requestTimeout = try settings.number(
      .requestTimeout, default: configuration.requestTimeout)
    configuration.sourceRate.perSecond = try settings.number(
      .sourceRate, default: configuration.sourceRate.perSecond)
    configuration.sourceRate.burst = try settings.number(
      .sourceBurst, default: configuration.sourceRate.burst)
    configuration.namesPerSource = try settings.integer(
      .namesPerSource, in: 1...10_000, default: configuration.namesPerSource)
    return configuration
  }
}
