import Foundation

extension URL {
  /// The file in the same folder whose name ends with more characters.
  func appending(suffix: String) -> URL {
    deletingLastPathComponent().appendingPathComponent(lastPathComponent + suffix)
  }
}
