/// A part that was not opened, or not completely, and the reason.
package struct WalkProblem: Hashable, Sendable {
  package let locator: Locator
  package let reason: String

  package init(_ locator: Locator, _ reason: String) {
    self.locator = locator
    self.reason = reason
  }
}
