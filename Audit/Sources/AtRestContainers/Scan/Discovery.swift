import AtRestFormats
import Foundation

/// Sensitive data in a container, and where it is stored.
package struct Discovery: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// Text that the tester typed. `encodings` is empty if the text is stored as it was typed.
    case canary(Canary, encodings: [String])
    case secret(Detection)
  }

  package let subject: Subject
  package let locator: Locator
  /// The name of the value (a key, a column name, a cookie name), or nil if it has none.
  package let name: String?
  package let state: Item.State
  package let excerpt: Excerpt
  /// The time that the row around the value says of itself, or nil if it says none.
  package let recorded: Date?

  init(
    subject: Subject, locator: Locator, name: String?, state: Item.State, excerpt: Excerpt,
    recorded: Date? = nil
  ) {
    self.subject = subject
    self.locator = locator
    self.name = name
    self.state = state
    self.excerpt = excerpt
    self.recorded = recorded
  }

  /// True if only a digest of a canary is stored.
  package var isDigest: Bool {
    guard case .canary(_, let encodings) = subject else { return false }
    return encodings.contains { $0.hasPrefix("md5") || $0.hasPrefix("sha") }
  }
}
