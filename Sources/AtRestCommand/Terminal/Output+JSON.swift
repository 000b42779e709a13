import Foundation

extension Output {
  /// Writes a value as JSON, with dates of ISO 8601, to standard output.
  static func writeJSON(_ value: some Encodable) throws {
    try writeJSON(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// The same on one line.
  static func writeJSONLine(_ value: some Encodable) throws {
    try writeJSON(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func writeJSON(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    encoder.dateEncodingStrategy = .iso8601
    try write(try encoder.encode(value))
    try write("\n")
  }
}
