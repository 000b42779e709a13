@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation
import Synchronization

/// Writes results to standard output and everything else to standard error.
///
/// A message that cannot be written is dropped: the action has happened all the same, and the exit
/// code reports it. If a result cannot be written, the error is recorded, nothing more is written,
/// and ``status(_:)`` tells the user at the end.
enum Output {
  /// The error number of the first result that could not be written, or 0.
  private static let failure = Mutex<Int32>(0)

  /// Returns true if a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The number of columns of the terminal on standard output, or nil if it is not a terminal or does not
  /// say how wide it is. Nothing is cut then.
  static var width: Int? {
    guard isTerminal(STDOUT_FILENO) else { return nil }
    let width = Int(atrest_terminal_width(STDOUT_FILENO))
    return width > 0 ? width : nil
  }

  /// Writes text to standard output.
  static func write(_ text: String) { write(Data(text.utf8)) }

  /// Writes bytes to standard output.
  static func write(_ data: Data) { data.withUnsafeBytes { write($0) } }

  /// Writes a secret to standard output, without a copy of it.
  static func write(_ secret: borrowing SecretBytes) { secret.withUnsafeBytes { write($0) } }

  private static func write(_ bytes: UnsafeRawBufferPointer) {
    failure.withLock { if $0 == 0 { $0 = StandardStream.output.write(bytes) } }
  }

  /// Returns the exit code for a status: 1 in place of 0 if a result could not be written,
  /// otherwise the status itself.
  static func status(_ status: Int32) -> Int32 {
    let number = failure.withLock { $0 }
    guard number != 0 else { return status }
    // A reader that has seen enough, as `head` has, is not an error.
    if number != EPIPE {
      failure(
        AtRestError(
          .system, "Could not write the result: \(String(cString: strerror(number))).",
          remedy: "Check the destination of standard output. The command itself succeeded."))
    }
    return status == ExitStatus.done.rawValue ? ExitStatus.failure.rawValue : status
  }

  /// Writes a line to standard error, prefixed with the command's name.
  static func note(_ message: String) { plainNote("atrest: \(printable(message))") }

  /// Writes lines to standard error. Line breaks are the only control characters that are kept.
  static func plainNote(_ message: String) {
    let text = printable(message, keepingLines: true) + "\n"
    StatusLine.hidden { _ = StandardStream.errors.write(text) }
  }

  /// Returns text without control characters that a terminal would obey, because names, attributes
  /// and arguments are untrusted. A byte of a file's name that is not UTF-8 is shown as `\xE9`.
  ///
  /// - Parameter keepingLines: True to keep line breaks.
  static func printable(_ text: String, keepingLines: Bool = false) -> String {
    func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isShownEscaped && !(keepingLines && scalar == "\n")
    }
    guard text.unicodeScalars.contains(where: isObeyed) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if let byte = SystemPath.byte(scalar) {
        result += String(format: "\\x%02X", byte)
      } else if isObeyed(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// True for characters that a terminal would obey, and for a byte of a path that is not UTF-8.
  var isShownEscaped: Bool { isObeyedByTerminals || SystemPath.byte(self) != nil }
}
