import Foundation

/// A file of a ``FileTree``.
package struct TreeFile: Hashable, Sendable {
  /// The path within the tree, with `/` as the separator.
  package let path: String
  /// The size in bytes according to the tree.
  package let size: Int
  package let modified: Date?
  /// The protection class according to a backup or device, such as `NSFileProtectionComplete`.
  package let protectionClass: String?
  /// True if the app left the file or a folder around it out of backups, as far as the copy shows.
  package internal(set) var isExcludedFromBackups: Bool
  /// The number by which the tree identifies the file.
  package let identifier: Int

  package init(
    path: String, size: Int, modified: Date? = nil, protectionClass: String? = nil,
    isExcludedFromBackups: Bool = false, identifier: Int = 0
  ) {
    self.path = path
    self.size = size
    self.modified = modified
    self.protectionClass = protectionClass
    self.isExcludedFromBackups = isExcludedFromBackups
    self.identifier = identifier
  }
}
