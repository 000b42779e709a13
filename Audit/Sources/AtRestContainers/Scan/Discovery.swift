import AtRestFormats

/// Something in a container that its owner would not want others to read, and where it lies.
package struct Discovery: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// What the tester typed in, and how it is written there: empty for as it is.
    case canary(Canary, encodings: [String])
    case secret(Detection)
  }

  package let subject: Subject
  package let locator: Locator
  /// What the value lies under: a key, a column, a cookie's name.
  package let name: String?
  package let state: Item.State
  package let excerpt: Excerpt

  /// Whether only a digest of a canary lies there.
  package var isDigest: Bool {
    guard case .canary(_, let encodings) = subject else { return false }
    return encodings.contains { $0.hasPrefix("md5") || $0.hasPrefix("sha") }
  }
}
