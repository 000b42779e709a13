import AtRestFormats
import Foundation

/// A value in a container, with its place in the file and the bytes around it.
///
/// An exhibit holds the secret itself. Reports mask the secret unless they are set to reveal it.
/// The description and a dump of an exhibit do not contain the secret.
public struct Exhibit: Hashable, Sendable {
  /// The steps from the file to the value: `["ZUSER, row 3, ZTOKEN", "base64"]`.
  public let locator: [String]
  public let excerpt: Excerpt?
  /// True if the value is in space that the format treats as free, where it can still be read.
  public let isDeleted: Bool
  /// The data protection class of the file, if a manifest or listing names it:
  /// `NSFileProtectionComplete`.
  public let protectionClass: String?
  /// True if the app left the file or a folder around it out of backups, as far as the copy shows.
  public let isExcludedFromBackups: Bool
  /// The time that the row around the value says of itself, or nil if it says none.
  public let recorded: Date?
  /// The locator without rows, indices, lines and offsets: `["ZUSER.ZTOKEN", "base64"]`. Findings
  /// with the same column are one problem.
  public let column: [String]
  /// The place in which the app stored the value, or nil if the code cannot name it.
  public let slot: StorageSlot?

  /// Creates the description of what was found in a container.
  public init(
    locator: [String], excerpt: Excerpt? = nil, isDeleted: Bool = false,
    protectionClass: String? = nil, isExcludedFromBackups: Bool = false, recorded: Date? = nil,
    column: [String]? = nil, slot: StorageSlot? = nil
  ) {
    self.locator = locator
    self.excerpt = excerpt
    self.isDeleted = isDeleted
    self.protectionClass = protectionClass
    self.isExcludedFromBackups = isExcludedFromBackups
    self.recorded = recorded
    self.column = column ?? locator
    self.slot = slot
  }

  public typealias Excerpt = AtRestFormats.Excerpt
}
