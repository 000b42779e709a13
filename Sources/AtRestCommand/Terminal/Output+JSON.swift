import Foundation

extension Output {
  /// Writes a value as JSON to standard output, with dates in ISO 8601.
  static func writeJSON(_ value: some Encodable) throws {
    try writeJSON(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// Writes a value as JSON on one line.
  static func writeJSONLine(_ value: some Encodable) throws {
    try writeJSON(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func writeJSON(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    encoder.dateEncodingStrategy = .iso8601
    write(escaped(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n")
  }

  /// Returns JSON without control characters that a terminal would obey. The encoder escapes only
  /// C0; the other characters occur only in strings.
  private static func escaped(_ json: String) -> String {
    func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isShownEscaped && scalar != "\n"
    }
    guard json.unicodeScalars.contains(where: isObeyed) else { return json }
    return json.unicodeScalars.reduce(into: "") { result, scalar in
      if isObeyed(scalar) {
        for unit in String(scalar).utf16 { result += String(format: "\\u%04x", unit) }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}
