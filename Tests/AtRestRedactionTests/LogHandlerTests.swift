import AtRestCrypto
import AtRestRedaction
import Foundation
import Logging
import Synchronization
import Testing

@Suite struct LogHandlerTests {
  private static let secret = "s3cr3t-of-eva"

  /// Records the messages that reach it.
  private struct RecordingHandler: LogHandler {
    final class Record: Sendable {
      let events = Mutex<[LogEvent]>([])
      var last: LogEvent? { events.withLock { $0.last } }
      var text: String { events.withLock { $0.map { "\($0)" }.joined() } }
    }
    let record: Record
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      var event = event
      // Handlers that print both do the same.
      event.metadata = (event.metadata ?? [:]).merging(metadata) { $1 }
        .merging(metadataProvider?.get() ?? [:]) { $1 }
      record.events.withLock { $0.append(event) }
    }
  }

  private struct LeakyError: Error { let token: String }

  private struct Leaky: CustomStringConvertible, Sendable {
    var description: String { "has \(LogHandlerTests.secret)" }
  }

  private static func withheld(
    _ verbosity: RedactingLogHandler.Verbosity = .all
  ) throws -> (Logger, RecordingHandler.Record) {
    let record = RecordingHandler.Record()
    let registry = SecretRegistry()
    try registry.register(secret)
    return (
      Logger(label: "test") { _ in
        RedactingLogHandler(
          RecordingHandler(record: record), redactor: Redactor(secrets: registry),
          verbosity: verbosity)
      }, record
    )
  }

  /// Logs everything that a program can put into a log.
  private static func logEverything(_ logger: Logger) {
    var logger = logger
    logger[metadataKey: "session"] = "of \(secret)"
    logger.error(
      "said \(secret)", error: LeakyError(token: secret),
      metadata: [
        "text": "a \(secret)", "object": .stringConvertible(Leaky()), secret: "key",
        "nested": ["list": ["b", .array([.dictionary(["deep": "\(secret)", secret: "1"])])]],
        "encoded": "\(Data(secret.utf8).base64EncodedString())",
      ])
  }

  @Test func nothingPasses() throws {
    let (logger, record) = try Self.withheld()
    Self.logEverything(logger)
    let event = try #require(record.last)
    #expect(!record.text.contains(Self.secret))
    #expect(!record.text.contains(Data(Self.secret.utf8).base64EncodedString()))
    #expect(event.message == "said [withheld]")
    #expect(event.metadata?["text"] == "a [withheld]")
    #expect(event.metadata?["object"] == "has [withheld]")
    #expect(event.metadata?["[withheld]"] == "key")
    let nested = try #require(event.metadata?["nested"])
    #expect("\(nested)".contains("b"))
    let error = try #require(event.error)
    #expect("\(error)".hasPrefix("LeakyError: "))
  }

  /// The secret is withheld at each level, and trace and debug never pass a handler that drops them.
  @Test(
    arguments: Logger.Level.allCases, [RedactingLogHandler.Verbosity.all, .infoAndAbove, .ofBuild])
  func eachLevel(_ level: Logger.Level, _ verbosity: RedactingLogHandler.Verbosity) throws {
    var (logger, record) = try Self.withheld(verbosity)
    logger.logLevel = .trace
    logger.log(level: level, "said \(Self.secret)", metadata: ["a": "\(Self.secret)"])
    guard verbosity == .all || level >= .info else {
      #expect(record.last == nil)
      return
    }
    let event = try #require(record.last)
    #expect(event.level == level && event.message == "said [withheld]")
    #expect(event.metadata?["a"] == "[withheld]")
    #expect(!record.text.contains(Self.secret))
  }

  @Test func withoutTheHandlerEverythingPasses() throws {
    let record = RecordingHandler.Record()
    Self.logEverything(Logger(label: "test") { _ in RecordingHandler(record: record) })
    #expect(record.text.components(separatedBy: Self.secret).count >= 7)
  }

  @Test func metadataOfProvidersIsWithheld() throws {
    let record = RecordingHandler.Record()
    let registry = SecretRegistry()
    let provider = Logger.MetadataProvider { ["user": "\(Self.secret)"] }
    var inner = RecordingHandler(record: record)
    inner.metadata = ["before": "\(Self.secret)"]
    inner.metadataProvider = provider
    let logger = Logger(label: "test") { _ in
      RedactingLogHandler(inner, redactor: Redactor(secrets: registry), verbosity: .all)
    }
    // This also applies to a secret that is registered later.
    try registry.register(Self.secret)
    logger.info("x")
    #expect(record.last?.metadata?["user"] == "[withheld]")
    #expect(record.last?.metadata?["before"] == "[withheld]")
    #expect(!record.text.contains(Self.secret))
  }

  @Test func namesOfSecretsWithholdWhatTheyName() throws {
    let (logger, record) = try Self.withheld()
    logger.info("x", metadata: ["password": "abc", "apiKey": ["a": "b"], "user": "eva"])
    #expect(
      record.last?.metadata == ["password": "[withheld]", "apiKey": "[withheld]", "user": "eva"])
  }

  @Test func deepNestingIsWithheldWhole() throws {
    let (logger, record) = try Self.withheld()
    var value: Logger.MetadataValue = "bottom"
    for _ in 0..<100 { value = ["x": value] }
    logger.info("x", metadata: ["deep": value])
    #expect(record.text.contains("[withheld]") && !record.text.contains("bottom"))
  }

  @Test func verboseLevelsAreDropped() throws {
    var (logger, record) = try Self.withheld(.infoAndAbove)
    logger.logLevel = .trace
    #expect(logger.logLevel == .info)
    logger.trace("1")
    logger.debug("2")
    logger.handler.log(
      event: LogEvent(
        level: .debug, message: "3", metadata: nil, source: nil, file: "", function: "", line: 0))
    #expect(record.last == nil)
    logger.info("4")
    #expect(record.last?.message == "4")
    // Control: with all levels, nothing is dropped.
    (logger, record) = try Self.withheld(.all)
    logger.logLevel = .trace
    logger.trace("1")
    #expect(record.last?.message == "1")
  }

  @Test func theBuildDecides() {
    #if DEBUG
      #expect(RedactingLogHandler.Verbosity.ofBuild == .all)
    #else
      #expect(RedactingLogHandler.Verbosity.ofBuild == .infoAndAbove)
    #endif
  }
}
