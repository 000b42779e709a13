/// A function, method, initialiser (named `init`), subscript or accessor (`get`, `set`, `willSet`,
/// `didSet`).
///
/// The method `- (void)a:(T)x b:(U)y` is `a` with the parameters `x`, without label, and `y`,
/// labelled `b`. A function that is only declared in a header has no body.
package final class Function: Sendable {
  package let name: String
  package let parameters: [Parameter]
  /// The type of the result as written, without a trailing `?`, `!` or ` *`.
  package let result: String?
  package let isStatic: Bool
  /// True for `override`, which takes the place of an inherited function.
  package let isOverride: Bool
  /// True for `private` and `fileprivate`.
  package let isPrivate: Bool
  package let attributes: [Attribute]
  package let body: Block?
  /// The range of the declaration, in UTF-8 offsets of the file.
  package let range: Range<Int32>
  package let nameOffset: Int32
  /// The condition under which a function that is declared outside of functions is compiled, or
  /// nil.
  package let condition: String?

  package init(
    name: String, parameters: [Parameter] = [], result: String? = nil, isStatic: Bool = false,
    isOverride: Bool = false, isPrivate: Bool = false,
    attributes: [Attribute] = [], body: Block?, range: Range<Int32>, nameOffset: Int32,
    condition: String? = nil
  ) {
    self.name = name
    self.parameters = parameters
    self.result = result
    self.isStatic = isStatic
    self.isOverride = isOverride
    self.isPrivate = isPrivate
    self.attributes = attributes
    self.body = body
    self.range = range
    self.nameOffset = nameOffset
    self.condition = condition
  }
}
