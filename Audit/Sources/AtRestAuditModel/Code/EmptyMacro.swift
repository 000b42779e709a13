/// A macro without a body, or with one that does nothing, as `#define NSLog(...)` in a build for customers.
package struct EmptyMacro: Sendable {
  package let name: String
  /// The condition as written under which the macro is defined, or nil if there is none.
  package let condition: String?

  package init(name: String, condition: String?) {
    self.name = name
    self.condition = condition
  }
}
