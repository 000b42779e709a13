import ArgumentParser
import AtRestCrypto
import AtRestKeyServer
import Foundation
import Logging

/// `atrest-keyserver serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves until SIGTERM. SIGHUP reads the certificate again.")

  @OptionGroup var options: StoreOptions
  @Option(help: "The address to listen on.") var host = "127.0.0.1"
  @Option(help: "The port to listen on.") var port = 8443
  @Option(help: "The certificate chain (PEM). Default: ATREST_KEYSERVER_CERTIFICATE.")
  var certificate: String?
  @Option(help: "The certificate's private key (PEM). Default: ATREST_KEYSERVER_PRIVATE_KEY.")
  var privateKey: String?
  @Option(help: "The number of threads and of connections to the database.") var workers = 8
  @Flag(help: "Log each request, without its contents.") var verbose = false

  func run() async throws {
    guard let certificate = certificate ?? StoreOptions.environment("CERTIFICATE"),
      let privateKey = privateKey ?? StoreOptions.environment("PRIVATE_KEY")
    else { throw ValidationError("Name the certificate and its key.") }
    guard (1...64).contains(workers) else { throw ValidationError("Use 1 to 64 workers.") }
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "atrest-keyserver")
    logger.logLevel = verbose ? .debug : .info
    var configuration = KeyServerConfiguration(
      host: host, port: port, certificate: certificate, privateKey: privateKey)
    configuration.workers = workers
    let server = try KeyServer(options.store(), configuration: configuration, logger: logger)
    try await server.run { [logger] port in
      logger.info("serving", metadata: ["port": "\(port)"])
    }
  }
}
