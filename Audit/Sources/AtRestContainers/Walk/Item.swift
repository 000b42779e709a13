/// A value met on the walk through a container.
package struct Item: Sendable {
  package let locator: Locator
  /// What it lies under: a key, a column, a cookie's name.
  package let name: String?
  package let content: Content
  package let state: State
  /// Whether these are bytes as they lie there, of which the same walk may also give the meaning: what
  /// is found in a value is to be preferred over what is found here.
  package let isRaw: Bool

  package enum Content: Sendable {
    /// A text; of numbers, dates and truth values what they are written as.
    case text(String)
    case bytes([UInt8])
  }

  package enum State: String, Sendable {
    case live
    /// In space that the format holds for free: it can still be read.
    case deleted
  }

  package init(
    _ locator: Locator, name: String? = nil, _ content: Content, state: State = .live,
    isRaw: Bool = false
  ) {
    self.locator = locator
    self.name = name
    self.content = content
    self.state = state
    self.isRaw = isRaw
  }
}
