import AtRestCrypto
import Foundation

/// Writes results to standard output and everything else to standard error.
enum Output {
  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Writes text to standard output.
  static func write(_ text: String) throws { try write(Data(text.utf8)) }

  /// Writes bytes to standard output.
  static func write(_ data: Data) throws {
    try data.withUnsafeBytes { try write($0) }
  }

  /// Writes a secret to standard output, without a copy of it.
  static func write(_ secret: borrowing SecretBytes) throws {
    try secret.withUnsafeBytes { try write($0) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer) throws {
    var offset = 0
    while offset < bytes.count {
      let count = Foundation.write(
        STDOUT_FILENO, bytes.baseAddress! + offset, bytes.count - offset)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw AtRestError(
          .system, "Could not write the result: \(String(cString: strerror(errno))).",
          remedy: "Check where standard output leads.")
      }
      offset += count
    }
  }

  /// Writes a line under the command's name to standard error.
  static func note(_ message: String) { plainNote("atrest: \(printable(message))") }

  /// Writes lines to standard error.
  static func plainNote(_ message: String) {
    StatusLine.hidden { FileHandle.standardError.write(Data((message + "\n").utf8)) }
  }

  /// Text without what a terminal would obey: attributes come from anywhere.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isControl(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  // Controls, and marks that turn the direction of text around.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
  }
}
