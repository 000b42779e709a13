import Foundation

/// A file as it lies in a ``BackupStorage``.
public struct BackupStorageFile: Hashable, Sendable {
  /// Below the backup, with `/` between its parts.
  public let path: String
  /// In bytes.
  public let size: Int
  public let modified: Date?

  public init(path: String, size: Int, modified: Date? = nil) {
    self.path = path
    self.size = size
    self.modified = modified
  }
}
