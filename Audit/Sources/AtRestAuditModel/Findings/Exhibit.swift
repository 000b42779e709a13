import AtRestFormats

/// A value of a container as reports show it: where it lies within its file, and what is around it.
///
/// It holds the secret itself, which reports mask unless they are told to reveal it; neither its
/// description nor a dump of it does.
public struct Exhibit: Hashable, Sendable {
  /// The way from the file inwards: `["ZUSER, row 3, ZTOKEN", "base64"]`.
  public let locator: [String]
  public let excerpt: Excerpt?
  /// Whether it lies in space that the format holds for free, and that can still be read.
  public let isDeleted: Bool
  /// The data protection class of the file, where a manifest or listing tells: `NSFileProtectionComplete`.
  public let protectionClass: String?

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
