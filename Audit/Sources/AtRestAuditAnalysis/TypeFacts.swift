import AtRestAuditModel

/// The declarations of one type in all files.
package struct TypeFacts: Sendable {
  package let name: String
  package var declarations: [(type: TypeDeclaration, file: SourceFile)] = []
  package var inherited: [String] = []
  package var variables: [String: (variable: Variable, file: SourceFile)] = [:]
}
