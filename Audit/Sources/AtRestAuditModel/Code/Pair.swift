/// A key of a dictionary literal and its value.
package struct Pair: Sendable {
  package let key: Expression
  package let value: Expression

  package init(_ key: Expression, _ value: Expression) {
    self.key = key
    self.value = value
  }
}
