/// A macro without a body, or with one that does nothing, as `#define NSLog(...)` in a build for customers.
package struct EmptyMacro: Sendable {
  package let name: String
  /// The condition of the `#if` around the macro, as the file writes it. Nil without one.
  package let condition: String?

  package init(name: String, condition: String?) {
    self.name = name
    self.condition = condition
  }
}
