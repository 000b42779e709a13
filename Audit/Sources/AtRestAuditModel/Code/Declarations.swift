/// An attribute or property wrapper: `@AppStorage("token")`, `@IBOutlet`. In Objective-C, the words
/// in the parentheses of a `@property`, and `IBOutlet` and `IBAction`.
package struct Attribute: Sendable {
  /// The name without the `@`.
  package let name: String
  package let arguments: [Argument]

  package init(_ name: String, _ arguments: [Argument] = []) {
    self.name = name
    self.arguments = arguments
  }
}

/// A variable, constant, property, instance variable or `#define` of a value.
package final class Variable: Sendable {
  package let name: String
  /// The type as written, without a trailing `?`, `!` or ` *`.
  package let type: String?
  package let value: Expression?
  /// True for `let`, `const` and `#define`.
  package let isConstant: Bool
  package let isStatic: Bool
  package let attributes: [Attribute]
  /// The getter of a computed property, and observers and setters, in their order in the code.
  package let accessors: [Function]
  /// The range of the declaration, in UTF-8 offsets of its file.
  package let range: Range<Int32>
  /// The offset of the name.
  package let nameOffset: Int32
  /// The condition under which the variable is compiled, if it is under one outside of functions.
  package let condition: String?

  package init(
    name: String, type: String? = nil, value: Expression? = nil, isConstant: Bool = false,
    isStatic: Bool = false, attributes: [Attribute] = [], accessors: [Function] = [],
    range: Range<Int32>, nameOffset: Int32, condition: String? = nil
  ) {
    self.name = name
    self.type = type
    self.value = value
    self.isConstant = isConstant
    self.isStatic = isStatic
    self.attributes = attributes
    self.accessors = accessors
    self.range = range
    self.nameOffset = nameOffset
    self.condition = condition
  }
}

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

  package init(
    label: String?, name: String, type: String? = nil, value: Expression? = nil, nameOffset: Int32
  ) {
    self.label = label
    self.name = name
    self.type = type
    self.value = value
    self.nameOffset = nameOffset
  }
}

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
  package let attributes: [Attribute]
  package let body: Block?
  /// The range of the declaration, in UTF-8 offsets of its file.
  package let range: Range<Int32>
  package let nameOffset: Int32
  /// The condition under which the function is compiled, if it is under one outside of functions.
  package let condition: String?

  package init(
    name: String, parameters: [Parameter] = [], result: String? = nil, isStatic: Bool = false,
    attributes: [Attribute] = [], body: Block?, range: Range<Int32>, nameOffset: Int32,
    condition: String? = nil
  ) {
    self.name = name
    self.parameters = parameters
    self.result = result
    self.isStatic = isStatic
    self.attributes = attributes
    self.body = body
    self.range = range
    self.nameOffset = nameOffset
    self.condition = condition
  }
}

/// A class, struct, enum, actor, protocol or extension, or an `@interface`, `@implementation`,
/// category, `@protocol` or C struct. Declarations of the same name are parts of one type.
package final class TypeDeclaration: Sendable {
  package enum Form: Sendable { case `class`, `struct`, `enum`, actor, `protocol`, `extension` }

  package let form: Form
  /// The name without the names of enclosing types. An extension has the last name of the extended
  /// type.
  package let name: String
  /// The superclass and the protocols as written.
  package let inherited: [String]
  package let attributes: [Attribute]
  package let variables: [Variable]
  package let functions: [Function]
  package let types: [TypeDeclaration]
  /// The cases of an enum that have a raw value, as constants.
  package let cases: [Variable]
  /// The range of the declaration, in UTF-8 offsets of its file.
  package let range: Range<Int32>
  package let nameOffset: Int32

  package init(
    form: Form, name: String, inherited: [String] = [], attributes: [Attribute] = [],
    variables: [Variable] = [], functions: [Function] = [], types: [TypeDeclaration] = [],
    cases: [Variable] = [], range: Range<Int32>, nameOffset: Int32
  ) {
    self.form = form
    self.name = name
    self.inherited = inherited
    self.attributes = attributes
    self.variables = variables
    self.functions = functions
    self.types = types
    self.cases = cases
    self.range = range
    self.nameOffset = nameOffset
  }
}
