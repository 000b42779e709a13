import AtRestFormats

/// A file of source code as the rules see it.
package final class SourceFile: Sendable {
  package enum Language: String, Sendable { case swift, objectiveC }

  /// The path below the folder that is audited, with `/` between its parts.
  package let path: String
  /// The names of the folders of the path.
  package let folders: [Substring]
  package let language: Language
  /// The modules that are imported and the headers that are included: `UIKit`,
  /// `CommonCrypto/CommonCrypto.h`.
  package let imports: [String]
  /// The Swift imports that are only compiled under a condition.
  package let conditionalImports: Set<String>
  package let types: [TypeDeclaration]
  package let functions: [Function]
  /// Global variables and constants.
  package let variables: [Variable]
  /// Statements outside of functions, in scripts and `main.swift`.
  package let statements: Block
  /// The macros without a body, or with one that does nothing: `#define NSLog(...)`.
  package let emptyMacros: [EmptyMacro]
  /// Comments that address the auditor.
  package let directives: [Directive]
  /// The parts that could not be parsed and were left out.
  package let skipped: [Skip]
  /// The names that the file mentions.
  package let words: CodeWords
  package let lines: LineTable

  package init(
    path: String, language: Language, imports: [String] = [],
    conditionalImports: Set<String> = [], types: [TypeDeclaration] = [], functions: [Function] = [],
    variables: [Variable] = [], statements: Block = Block(), emptyMacros: [EmptyMacro] = [],
    directives: [Directive] = [], skipped: [Skip] = [], words: CodeWords = CodeWords(),
    lines: LineTable
  ) {
    self.path = path
    folders = path.split(separator: "/").dropLast()
    self.language = language
    self.imports = imports
    self.conditionalImports = conditionalImports
    self.types = types
    self.functions = functions
    self.variables = variables
    self.statements = statements
    self.emptyMacros = emptyMacros
    self.directives = directives
    self.skipped = skipped
    self.words = words
    self.lines = lines
  }
}

extension SourceFile {
  /// Returns the location of a range of the file.
  package func location(of range: Range<Int32>) -> Location {
    Location(
      path: path, start: lines.position(of: range.lowerBound),
      end: lines.position(of: range.upperBound))
  }
}
