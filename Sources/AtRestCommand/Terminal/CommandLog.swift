import Foundation
import Logging

/// Prints the libraries' log messages to standard error: warnings always, and other levels if
/// `ATREST_LOG` requests them.
struct CommandLog: LogHandler {
  static let variable = "ATREST_LOG"

  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  /// Makes all loggers of the process use this handler.
  static func bootstrap() {
    let asked = ProcessInfo.processInfo.environment[variable].flatMap {
      Logger.Level(rawValue: $0.lowercased())
    }
    LoggingSystem.bootstrap { _ in CommandLog(logLevel: asked ?? .warning) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    Output.note("\(event.level): \(event.message)\(details)")
  }
}
