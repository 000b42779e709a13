/// An attribute or property wrapper: `@AppStorage("token")`, `@IBOutlet`. In Objective-C the words in the
/// parentheses of a `@property`, `IBOutlet` and `IBAction`.
public struct Attribute: Sendable {
  /// Without the `@`.
  public let name: String
  public let arguments: [Argument]

  public init(_ name: String, _ arguments: [Argument] = []) {
    self.name = name
    self.arguments = arguments
  }
}

/// A variable, constant, property, instance variable or `#define` of a value.
public final class Variable: Sendable {
  public let name: String
  /// The type as it is written, without a trailing `?`, `!` or ` *`.
  public let type: String?
  public let value: Expression?
  /// `let`, `const`, `#define`.
  public let isConstant: Bool
  public let isStatic: Bool
  public let attributes: [Attribute]
  /// The getter of a computed property, and observers and setters, in the order in which they stand.
  public let accessors: [Function]
  /// Where the declaration begins and ends, as UTF-8 offsets in its file.
  public let range: Range<Int32>
  /// Where the name stands.
  public let nameOffset: Int32
  /// The condition under which it is compiled, if it stands within one outside of a function.
  public let condition: String?

  public init(
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
public struct Parameter: Sendable {
  /// What a caller writes before the colon, or nothing.
  public let label: String?
  /// Its name in the body.
  public let name: String
  /// The type as it is written, without a trailing `?`, `!` or ` *`.
  public let type: String?
  /// The default argument.
  public let value: Expression?
  public let nameOffset: Int32

  public init(
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
/// The method `- (void)a:(T)x b:(U)y` is `a` with the parameters `x`, without label, and `y`, labelled
/// `b`. One declared in a header alone has no body.
public final class Function: Sendable {
  public let name: String
  public let parameters: [Parameter]
  /// The type of its result as it is written, without a trailing `?`, `!` or ` *`.
  public let result: String?
  public let isStatic: Bool
  public let attributes: [Attribute]
  public let body: Block?
  /// Where the declaration begins and ends, as UTF-8 offsets in its file.
  public let range: Range<Int32>
  public let nameOffset: Int32
  /// The condition under which it is compiled, if it stands within one outside of a function.
  public let condition: String?

  public init(
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

/// A class, struct, enum, actor, protocol or extension; an `@interface`, `@implementation`, category,
/// `@protocol` or C struct. Those of the same name are one type, in parts.
public final class TypeDeclaration: Sendable {
  public enum Form: Sendable { case `class`, `struct`, `enum`, actor, `protocol`, `extension` }

  public let form: Form
  /// Without the names of the types around it; an extension has the last name of what it extends.
  public let name: String
  /// Superclass and protocols as they are written.
  public let inherited: [String]
  public let attributes: [Attribute]
  public let variables: [Variable]
  public let functions: [Function]
  public let types: [TypeDeclaration]
  /// Cases of an enum that have a raw value, as constants.
  public let cases: [Variable]
  /// Where the declaration begins and ends, as UTF-8 offsets in its file.
  public let range: Range<Int32>
  public let nameOffset: Int32

  public init(
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
