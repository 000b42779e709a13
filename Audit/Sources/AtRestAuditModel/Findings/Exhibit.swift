import AtRestFormats

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

  /// Creates the description of what was found in a container.
  public init(
    locator: [String], excerpt: Excerpt? = nil, isDeleted: Bool = false,
    protectionClass: String? = nil
  ) {
    self.locator = locator
    self.excerpt = excerpt
    self.isDeleted = isDeleted
    self.protectionClass = protectionClass
  }

  public typealias Excerpt = AtRestFormats.Excerpt
}
