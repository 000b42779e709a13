import AtRestCrypto
import Foundation

/// Reads files that are not secret.
enum MessageInput {
  /// Returns the contents of a file, or of standard input if the path is `-`.
  static func contents(of path: String) throws -> Data {
    do {
      if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw AtRestError(
        .system, "Could not read \(path).", remedy: "Check the path and its permissions.",
        cause: error)
    }
  }
}
