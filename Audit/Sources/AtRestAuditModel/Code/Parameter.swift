/// A parameter of a function.
package struct Parameter: Sendable {
  /// The text that a caller writes before the colon, or nil.
  package let label: String?
  /// The name in the body.
  package let name: String
  /// The type as written, without a trailing `?`, `!` or ` *`.
  package let type: String?
  /// The default argument.
  package let value: Expression?
  package let nameOffset: Int32
  /// True for `values: T...`.
  package let isVariadic: Bool

  package init(
    label: String?, name: String, type: String? = nil, value: Expression? = nil, nameOffset: Int32,
    isVariadic: Bool = false
  ) {
    self.label = label
    self.name = name
    self.type = type
    self.value = value
    self.nameOffset = nameOffset
    self.isVariadic = isVariadic
  }
}
