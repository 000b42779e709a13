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
  /// The cases of an enum, as constants with their raw values and what they hold.
  package let cases: [Variable]
  /// The range of the declaration, in UTF-8 offsets of the file.
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
