import AtRestAuditModel
import AtRestFormats
import Foundation

/// Reads Objective-C, C and what C++ stands among it into the model, whatever else is there.
///
/// It needs no compiler and no headers: what a macro stands for is not known, and a type is told from an
/// expression by its looks. What it cannot make sense of is left out and named in
/// `SourceFile.skipped`. All of it is linear in the length of the file.
package enum ObjectiveCReader {
  /// Reads a file.
  ///
  /// The language is told by the name: `.mm` and the names of C++ are read as such. Files of 2 GiB and
  /// more, and those in UTF-16, are skipped.
  package static func read(_ bytes: UnsafeBufferPointer<UInt8>, path: String) -> SourceFile {
    func skip(_ reason: String) -> SourceFile {
      SourceFile(
        path: path, language: .objectiveC, skipped: [Skip(path: path, reason: reason)],
        lines: LineTable([]))
    }
    guard bytes.count < Int(Int32.max) else { return skip("a file of 2 GiB or more") }
    if bytes.count >= 2, bytes[0] ^ bytes[1] == 0x01, bytes[0] >= 0xFE {
      return skip("text in UTF-16")
    }
    let lines = LineTable(bytes)
    var lexer = ObjectiveCLexer(bytes, lines: lines)
    lexer.run()
    let directives = lexer.directives
    let macros = lexer.macros
    var parser = ObjectiveCParser(lexer, path: path)
    var members = ObjectiveCParser.Members()
    for macro in macros { parser.read(macro, into: &members) }
    parser.declarations(into: &members)
    return SourceFile(
      path: path, language: .objectiveC, imports: parser.imports, types: members.types,
      functions: members.functions, variables: members.variables,
      statements: Block(members.statements), directives: directives,
      skipped: parser.skipped, lines: lines)
  }

  /// Reads a file that is held as bytes.
  package static func read(_ bytes: some Sequence<UInt8>, path: String) -> SourceFile {
    bytes.withContiguousStorageIfAvailable { read($0, path: path) }
      ?? Array(bytes).withUnsafeBufferPointer { read($0, path: path) }
  }

  /// Reads a file that is held as text.
  package static func read(_ text: String, path: String) -> SourceFile {
    read(text.utf8, path: path)
  }
}
