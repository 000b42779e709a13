import Foundation

/// A file of a ``FileTree``.
public struct TreeFile: Hashable, Sendable {
  /// Below the tree, with `/` between its parts.
  public let path: String
  /// In bytes, as the tree gives it.
  public let size: Int
  public let modified: Date?
  /// The protection class that a backup or a device names: `NSFileProtectionComplete`.
  public let protectionClass: String?
  /// What the tree knows the file by.
  public let identifier: Int

  public init(
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
