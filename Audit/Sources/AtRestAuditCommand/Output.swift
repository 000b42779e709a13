import AtRestAudit
@_spi(Tools) import AtRestCrypto
import Foundation

/// The output of the command: results go to standard output, everything else to standard error.
enum Output {
  /// - Throws: ``AuditError`` if the reading end of a pipe is closed or the disk is full.
  static func write(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw AuditError(
        "The result cannot be written to standard output. Check the program that reads it, and the disk."
      )
    }
  }

  /// Writes lines to standard error. Names of files, and what they contain, are untrusted: no control character but
  /// the end of a line reaches the terminal.
  static func note(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = lines.map { String($0).printable + "\n" }.joined()
    try? FileHandle.standardError.write(contentsOf: Data(shown.utf8))
  }

  /// True if results may be coloured: standard output is a terminal, and the environment allows
  /// colours.
  static var colours: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(1) == 1 && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM"] != "dumb"
  }

  /// Writes a file completely or not at all. A pipe or a device is written to, and never replaced.
  ///
  /// - Throws: ``AuditError`` if it cannot be written.
  static func write(_ data: Data, to path: String) throws {
    do {
      let url = URL(fileURLWithPath: path)
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
        let handle = try FileHandle(forWritingTo: url)
        try handle.write(contentsOf: data)
        try handle.close()
      } else {
        try data.write(to: url, options: .atomic)
      }
    } catch {
      throw AuditError("\(path) cannot be written. \(error.localizedDescription)")
    }
  }
}
