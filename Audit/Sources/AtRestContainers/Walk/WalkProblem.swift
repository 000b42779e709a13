/// Something that was not opened, or not all of it, and why.
public struct WalkProblem: Hashable, Sendable {
  public let locator: Locator
  public let reason: String

  public init(_ locator: Locator, _ reason: String) {
    self.locator = locator
    self.reason = reason
  }
}
