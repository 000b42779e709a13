import Foundation

/// A file of a ``FileTree``.
package struct TreeFile: Hashable, Sendable {
  /// Below the tree, with `/` between its parts.
  package let path: String
  /// In bytes, as the tree gives it.
  package let size: Int
  package let modified: Date?
  /// The protection class that a backup or a device names: `NSFileProtectionComplete`.
  package let protectionClass: String?
  /// What the tree knows the file by.
  package let identifier: Int

  package init(
    path: String, size: Int, modified: Date? = nil, protectionClass: String? = nil,
    identifier: Int = 0
  ) {
    self.path = path
    self.size = size
    self.modified = modified
    self.protectionClass = protectionClass
    self.identifier = identifier
  }
}
