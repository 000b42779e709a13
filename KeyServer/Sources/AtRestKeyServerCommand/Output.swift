@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The output of the program: results on standard output, and everything else on standard error.
enum Output {
  /// Writes a line to standard output.
  static func line(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes lines to standard error. No control character but the end of a line reaches the terminal.
  static func note(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { String($0).printable }.joined(separator: "\n"), to: STDERR_FILENO)
  }

  /// Writes a line with the parts of a table between tabs.
  ///
  /// Control characters in names and labels are replaced, because clients choose labels.
  static func row(_ parts: [String]) {
    line(parts.map(\.printable).joined(separator: "\t"))
  }

  /// Writes a value as JSON on one line, with dates in ISO 8601.
  static func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    line(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Writes everything, or stops without a trap if the reader is gone.
  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
