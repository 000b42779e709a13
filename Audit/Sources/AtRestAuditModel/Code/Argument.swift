/// An argument of a call, with its label if it has one.
package struct Argument: Sendable {
  package let label: String?
  package let value: Expression

  package init(_ label: String?, _ value: Expression) {
    self.label = label
    self.value = value
  }
}
