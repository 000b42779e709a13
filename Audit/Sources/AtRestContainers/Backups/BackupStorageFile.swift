import Foundation

/// A file in a ``BackupStorage``.
package struct BackupStorageFile: Hashable, Sendable {
  /// The path within the backup, with `/` as the separator.
  package let path: String
  /// The size in bytes.
  package let size: Int
  package let modified: Date?

  package init(path: String, size: Int, modified: Date? = nil) {
    self.path = path
    self.size = size
    self.modified = modified
  }
}
