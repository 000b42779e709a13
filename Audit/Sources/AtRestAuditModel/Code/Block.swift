/// Statements in their order in the code.
package struct Block: Sendable {
  package let statements: [Statement]

  package init(_ statements: [Statement] = []) { self.statements = statements }
}
