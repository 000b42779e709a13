/// A variable, constant, property, instance variable or `#define` of a value.
package final class Variable: Sendable {
  package let name: String
  /// The type as written, without a trailing `?`, `!` or ` *`.
  package let type: String?
  package let value: Expression?
  /// The part of the value that the variable is, from the outside to the inside. The list is empty if
  /// the variable is the whole value.
  package let pieces: [Piece]
  /// The values that a case of an enum holds.
  package let payload: [Parameter]
  /// True for `let`, `const` and `#define`.
  package let isConstant: Bool
  package let isStatic: Bool
  /// True for `override`, which takes the place of an inherited property.
  package let isOverride: Bool
  /// True for `private` and `fileprivate`.
  package let isPrivate: Bool
  package let attributes: [Attribute]
  /// The getter of a computed property, and observers and setters, in their order in the code.
  package let accessors: [Function]
  /// The range of the declaration, in UTF-8 offsets of the file.
  package let range: Range<Int32>
  /// The offset of the name.
  package let nameOffset: Int32
  /// The condition under which a variable that is declared outside of functions is compiled, or
  /// nil.
  package let condition: String?

  package init(
    name: String, type: String? = nil, value: Expression? = nil, pieces: [Piece] = [],
    payload: [Parameter] = [], isConstant: Bool = false,
    isStatic: Bool = false, isOverride: Bool = false, isPrivate: Bool = false,
    attributes: [Attribute] = [], accessors: [Function] = [],
    range: Range<Int32>, nameOffset: Int32, condition: String? = nil
  ) {
    self.name = name
    self.type = type
    self.value = value
    self.pieces = pieces
    self.payload = payload
    self.isConstant = isConstant
    self.isStatic = isStatic
    self.isOverride = isOverride
    self.isPrivate = isPrivate
    self.attributes = attributes
    self.accessors = accessors
    self.range = range
    self.nameOffset = nameOffset
    self.condition = condition
  }
}
