/// A statement, in the few forms that the rules distinguish.
package indirect enum Statement: Sendable {
  case expression(Expression)
  /// A local variable, or one bound by `if let`, `guard let`, `catch let`, `case let`.
  case variable(Variable)
  case returns(Expression?)
  /// `if`, `guard` and `while`: the conditions (each an expression or a binding), the block that
  /// runs if they hold, and the block that runs if they do not.
  case branch([Statement], Block, otherwise: Block?)
  /// `for name in sequence`, with the names that it binds.
  case loop([String], Expression, Block)
  /// `switch subject`, with one block for each case.
  case selection(Expression, [Case])
  /// `do`, `catch`, `defer`, `@autoreleasepool`, `@synchronized`.
  case block(Block)
  /// Code that is only compiled under a condition, as written: `DEBUG`, `os(Linux)`, `!DEBUG`.
  case conditional(String, Block)
  case function(Function)
  case type(TypeDeclaration)

  /// One case of a `switch`.
  package struct Case: Sendable {
    /// The expressions that the case matches.
    package let patterns: [Expression]
    package let body: Block

    package init(_ patterns: [Expression], _ body: Block) {
      self.patterns = patterns
      self.body = body
    }
  }
}
