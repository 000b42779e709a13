import Foundation

/// A file as it lies in a ``BackupStorage``.
package struct BackupStorageFile: Hashable, Sendable {
  /// Below the backup, with `/` between its parts.
  package let path: String
  /// In bytes.
  package let size: Int
  package let modified: Date?

  package init(path: String, size: Int, modified: Date? = nil) {
    self.path = path
    self.size = size
    self.modified = modified
  }
}
