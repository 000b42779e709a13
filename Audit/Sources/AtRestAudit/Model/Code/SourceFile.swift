/// A file of source code as the rules see it.
public final class SourceFile: Sendable {
  public enum Language: String, Sendable { case swift, objectiveC }

  /// The path below the folder that is audited, with `/` between its parts.
  public let path: String
  public let language: Language
  /// Modules imported and headers included: `UIKit`, `CommonCrypto/CommonCrypto.h`.
  public let imports: [String]
  /// Those of the imports of Swift that stand under a condition alone.
  public let conditionalImports: Set<String>
  public let types: [TypeDeclaration]
  public let functions: [Function]
  /// Global variables and constants.
  public let variables: [Variable]
  /// Statements outside of any function: scripts and `main.swift`.
  public let statements: Block
  /// Comments that speak to the auditor.
  public let directives: [Directive]
  /// What could not be parsed and was left out.
  public let skipped: [Skip]
  public let lines: LineTable

  public init(
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

/// A comment that begins with `atrest:`, whatever opens the comment: `atrest:ignore log-sensitive
/// reason`.
public struct Directive: Sendable {
  /// What follows `atrest:`, to the end of the line, trimmed.
  public let text: String
  public let line: Int
  /// Whether code stands before it on its line: it speaks of that line then, of the next otherwise.
  public let followsCode: Bool

  public init(text: String, line: Int, followsCode: Bool) {
    self.text = text
    self.line = line
    self.followsCode = followsCode
  }
}
