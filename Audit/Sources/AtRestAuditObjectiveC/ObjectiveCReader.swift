import AtRestAuditModel
import AtRestFormats
import Foundation

/// Reads Objective-C into the model, with the C and C++ code in the same file. Accepts any file.
///
/// It needs no compiler and no headers. It does not know what a macro stands for, and it
/// distinguishes types from expressions by their form. Code that it cannot read is left out and
/// listed in `SourceFile.skipped`. The time is linear in the length of the file.
package enum ObjectiveCReader {
  /// Reads a file.
  ///
  /// The name of the file determines the language: `.mm` and the names of C++ files are read as
  /// C++. Files of 2 GiB or more, and files in UTF-16, are skipped.
  package static func read(_ bytes: UnsafeBufferPointer<UInt8>, path: String) -> SourceFile {
    func skip(_ reason: String) -> SourceFile {
      SourceFile(
        path: path, language: .objectiveC, skipped: [Skip(path: path, reason: reason)],
        lines: LineTable([]))
    }
    guard bytes.count < Int(Int32.max) else { return skip("The file has 2 GiB or more.") }
    if bytes.count >= 2, bytes[0] ^ bytes[1] == 0x01, bytes[0] >= 0xFE {
      return skip("The file is in UTF-16.")
    }
    let lines = LineTable(bytes)
    var lexer = ObjectiveCLexer(bytes, lines: lines)
    lexer.run()
    let directives = lexer.directives
    let macros = lexer.macros
    let emptyMacros = lexer.emptyMacros
    var parser = ObjectiveCParser(lexer, path: path)
    var members = ObjectiveCParser.Members()
    for macro in macros { parser.read(macro, into: &members) }
    parser.declarations(into: &members)
    return SourceFile(
      path: path, language: .objectiveC, imports: parser.imports, types: members.types,
      functions: members.functions, variables: members.variables,
      statements: Block(members.statements), emptyMacros: emptyMacros, directives: directives,
      skipped: parser.skipped, words: CodeWords(bytes, language: .objectiveC), lines: lines)
  }

  /// Reads a file from its bytes.
  package static func read(_ bytes: some Sequence<UInt8>, path: String) -> SourceFile {
    bytes.withContiguousStorageIfAvailable { read($0, path: path) }
      ?? Array(bytes).withUnsafeBufferPointer { read($0, path: path) }
  }

  /// Reads a file from its text.
  package static func read(_ text: String, path: String) -> SourceFile {
    read(text.utf8, path: path)
  }
}
