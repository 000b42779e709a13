import ArgumentParser
import AtRestKeyServer
import Foundation
import Logging

/// `keyserver-bench serve`: the server itself, without the limits of one source address.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves until SIGTERM, and prints the port.")

  @OptionGroup var options: BenchOptions
  @Option var certificate: String
  @Option var privateKey: String
  @Option var workers = 8
  @Flag(help: "Delay attempts as in operation.") var delays = false

  func run() async throws {
    var configuration = KeyServerConfiguration(
      host: "127.0.0.1", port: 0, certificate: certificate, privateKey: privateKey)
    configuration.workers = workers
    configuration.sourceRate = .init(perSecond: 1e9, burst: 1e9)
    configuration.namesPerSource = .max
    var logger = Logger(label: "keyserver-bench") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    let server = try KeyServer(
      options.store(delays: delays), configuration: configuration, logger: logger)
    try await server.run { port in
      print("port=\(port)")
      fflush(nil)
    }
  }
}
