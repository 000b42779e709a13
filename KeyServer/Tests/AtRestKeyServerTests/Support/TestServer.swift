import AtRestCrypto
import AtRestKeyServer
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Logging

/// A server on a free port of the loopback interface, in this process.
struct TestServer: Sendable {
  let store: KeyServerStore
  let port: Int
  let certificate: String
  let privateKey: String

  /// Runs a closure while a server runs. The closure may block, because it has a thread of its own.
  static func run(
    _ store: KeyServerStore, rate: SourceLimits.Rate? = nil, record: String? = nil,
    _ body: @escaping @Sendable (TestServer) throws -> Void
  ) async throws {
    try await runAsync(store, rate: rate, record: record) { test in
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body(test) }) }
      }
    }
  }

  /// Runs a closure that does not block while a server runs.
  static func runAsync(
    _ store: KeyServerStore, rate: SourceLimits.Rate? = nil, record: String? = nil,
    _ body: @escaping @Sendable (TestServer) async throws -> Void
  ) async throws {
    let files = (TemporaryFile(), TemporaryFile())
    let made = try ChildProcess.run([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout", files.1.path, "-out", files.0.path, "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost",
    ])
    struct Failure: Error { let text: String }
    guard made.status == 0 else { throw Failure(text: made.text) }
    var configuration = KeyServerConfiguration(
      host: "127.0.0.1", port: 0, certificate: files.0.path, privateKey: files.1.path)
    if let rate { configuration.sourceRate = rate }
    configuration.record = record
    configuration.housekeepingInterval = 0.02
    var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let server = try KeyServer(store, configuration: configuration, logger: logger)
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await server.run { continuation.yield($0) }
        continuation.finish()
      }
      group.addTask {
        for await port in ports {
          let test = TestServer(
            store: store, port: port, certificate: files.0.path, privateKey: files.1.path)
          return try await body(test)
        }
      }
      // The body ends first; then the server is stopped.
      try await group.next()
      group.cancelAll()
      while (try? await group.next()) != nil {}
    }
  }

  func transport() throws -> TLSTransport {
    try TLSTransport(host: "localhost", port: port, trustRoots: certificate, timeout: 120)
  }

  /// Enrols a device with a new code.
  func client(account: String) throws -> KeyServerClient {
    try KeyServerClient.enrol(
      store.createCode(for: account), label: "a test", key: PrivateKey.generate(.p256),
      transport: transport())
  }
}
