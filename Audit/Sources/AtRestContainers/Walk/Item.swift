/// A value met on the walk through a container.
public struct Item: Sendable {
  public let locator: Locator
  /// What it lies under: a key, a column, a cookie's name.
  public let name: String?
  public let content: Content
  public let state: State
  /// Whether these are bytes as they lie there, of which the same walk may also give the meaning: what
  /// is found in a value is to be preferred over what is found here.
  public let isRaw: Bool

  public enum Content: Sendable {
    /// A text; of numbers, dates and truth values what they are written as.
    case text(String)
    case bytes([UInt8])
  }

  public enum State: String, Sendable {
    case live
    /// In space that the format holds for free: it can still be read.
    case deleted
  }

  public init(
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
