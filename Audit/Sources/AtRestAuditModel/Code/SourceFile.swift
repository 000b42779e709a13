import AtRestFormats

/// A file of source code as the rules see it.
package final class SourceFile: Sendable {
  package enum Language: String, Sendable { case swift, objectiveC }

  /// The path below the folder that is audited, with `/` between its parts.
  package let path: String
  package let language: Language
  /// Modules imported and headers included: `UIKit`, `CommonCrypto/CommonCrypto.h`.
  package let imports: [String]
  /// Those of the imports of Swift that stand under a condition alone.
  package let conditionalImports: Set<String>
  package let types: [TypeDeclaration]
  package let functions: [Function]
  /// Global variables and constants.
  package let variables: [Variable]
  /// Statements outside of any function: scripts and `main.swift`.
  package let statements: Block
  /// Comments that speak to the auditor.
  package let directives: [Directive]
  /// What could not be parsed and was left out.
  package let skipped: [Skip]
  package let lines: LineTable

  package init(
    path: String, language: Language, imports: [String] = [],
    conditionalImports: Set<String> = [], types: [TypeDeclaration] = [], functions: [Function] = [],
    variables: [Variable] = [], statements: Block = Block(),
    directives: [Directive] = [], skipped: [Skip] = [], lines: LineTable
  ) {
    self.path = path
    self.language = language
    self.imports = imports
    self.conditionalImports = conditionalImports
    self.types = types
    self.functions = functions
    self.variables = variables
    self.statements = statements
    self.directives = directives
    self.skipped = skipped
    self.lines = lines
  }
}

extension SourceFile {
  /// Where a piece of it stands.
  package func location(of range: Range<Int32>) -> Location {
    Location(
      path: path, start: lines.position(of: range.lowerBound),
      end: lines.position(of: range.upperBound))
  }
}

/// A comment that begins with `atrest:`, whatever opens the comment: `atrest:ignore log-sensitive
/// reason`.
package struct Directive: Sendable {
  /// What follows `atrest:`, to the end of the line, trimmed.
  package let text: String
  package let line: Int
  /// Whether code stands before it on its line: it speaks of that line then, of the next otherwise.
  package let followsCode: Bool

  package init(text: String, line: Int, followsCode: Bool) {
    self.text = text
    self.line = line
    self.followsCode = followsCode
  }
}
