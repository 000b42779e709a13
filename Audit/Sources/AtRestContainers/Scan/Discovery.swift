import AtRestFormats

/// Something in a container that its owner would not want others to read, and where it lies.
public struct Discovery: Hashable, Sendable {
  public enum Subject: Hashable, Sendable {
    /// What the tester typed in, and how it is written there: empty for as it is.
    case canary(Canary, encodings: [String])
    case secret(Detection)
  }

  public let subject: Subject
  public let locator: Locator
  /// What the value lies under: a key, a column, a cookie's name.
  public let name: String?
  public let state: Item.State
  public let excerpt: Excerpt

  /// Whether only a digest of a canary lies there.
  public var isDigest: Bool {
    guard case .canary(_, let encodings) = subject else { return false }
    return encodings.contains { $0.hasPrefix("md5") || $0.hasPrefix("sha") }
  }
}
