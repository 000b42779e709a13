import Foundation
import Logging

/// Writes each log entry as one line of JSON to standard error: `time`, `level`, `message`, and the
/// metadata beside them.
package struct JSONLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var logLevel = Logger.Level.info
  package var metadataProvider: Logger.MetadataProvider?
  private let label: String

  package init(label: String) { self.label = label }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var fields: [String: Field] = [:]
    let given = metadataProvider?.get() ?? [:]
    for values in [metadata, given, event.metadata ?? [:]] {
      for (key, value) in values { fields[key] = Field(value) }
    }
    fields["time"] = .text(Self.time(Date()))
    fields["level"] = .text(event.level.rawValue)
    fields["message"] = .text("\(event.message)")
    fields["program"] = .text(label)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard var line = try? encoder.encode(fields) else { return }
    line.append(UInt8(ascii: "\n"))
    // One call for each line, so that lines of several threads do not mix.
    FileHandle.standardError.write(line)
  }

  private static func time(_ date: Date) -> String {
    date.formatted(
      .iso8601.year().month().day().time(includingFractionalSeconds: true)
        .timeZone(separator: .omitted))
  }

  /// A value of a line. Numbers stay numbers.
  private enum Field: Encodable {
    case text(String)
    case integer(Int)
    case number(Double)

    init(_ value: Logger.Metadata.Value) {
      switch value {
      case .stringConvertible(let number as Int): self = .integer(number)
      case .stringConvertible(let number as Double): self = .number(number)
      default: self = .text("\(value)")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .integer(let number): try container.encode(number)
      case .number(let number): try container.encode(number)
      }
    }
  }
}
