import Foundation

extension Output {
  /// Writes a value as JSON, with dates of ISO 8601, to standard output.
  static func writeJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    try write(try encoder.encode(value))
    try write("\n")
  }
}
