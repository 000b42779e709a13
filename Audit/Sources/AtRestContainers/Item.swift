/// A value met on the walk through a container.
public struct Item: Sendable {
  public let locator: Locator
  /// What it lies under: a key, a column, a cookie's name.
  public let name: String?
  public let content: Content
  public let state: State

  public enum Content: Sendable {
    case text(String)
    case bytes([UInt8])
  }

  public enum State: String, Sendable {
    case live
    /// In space that the format holds for free: it can still be read.
    case deleted
  }

  public init(_ locator: Locator, name: String? = nil, _ content: Content, state: State = .live) {
    self.locator = locator
    self.name = name
    self.content = content
    self.state = state
  }
}
