import AtRestAuditModel
import AtRestFormats
import Foundation
import SwiftParser
import SwiftSyntax

/// Reads Swift into the model, with swift-syntax.
///
/// Safe to call from several threads at once. Each thread needs a stack of 256 MiB, because the
/// look-ahead of swift-syntax recurses with nested brackets and with each call in a chain. The
/// reader limits both.
package enum SwiftReader {
  /// The number of nesting levels that are read. Deeper code is left out and reported.
  package static let deepest = 200

  /// Reads a file. It never fails: code that cannot be parsed is listed in ``SourceFile/skipped``.
  package static func read(_ bytes: UnsafeBufferPointer<UInt8>, path: String) -> SourceFile {
    let lines = LineTable(bytes)
    if let offset = Nesting.tooDeep(bytes) {
      return SourceFile(
        path: path, language: .swift,
        skipped: [
          Skip(
            path: path, line: lines.line(of: offset),
            reason: "The code is nested too deeply to be read.")
        ], words: CodeWords(bytes, language: .swift), lines: lines)
    }
    let tree = Parser.parse(source: bytes, maximumNestingLevel: deepest)
    if tree.hasError, let mended = withoutSpacesInAttributes(bytes) {
      return mended.withUnsafeBufferPointer { read($0, path: path) }
    }
    var reader = DeclarationReader()
    reader.read(tree.statements)
    var words = CodeWords(bytes, language: .swift)
    words.leaveOut(reader.previews)
    let directives = bytes.contains("atrest:") ? directives(in: tree, lines: lines) : []
    return SourceFile(
      path: path, language: .swift, imports: reader.imports,
      conditionalImports: reader.conditionalImports, types: reader.types,
      functions: reader.functions, variables: reader.variables,
      statements: Block(reader.statements), directives: directives,
      skipped: tree.hasError ? skips(in: tree, lines: lines, path: path) : [], words: words,
      lines: lines)
  }

  /// Reads a string, for tests and editors.
  package static func read(_ text: String, path: String) -> SourceFile {
    var text = text
    return text.withUTF8 { read($0, path: path) }
  }

  private static func directives(in tree: SourceFileSyntax, lines: LineTable) -> [Directive] {
    var directives: [Directive] = []
    var lastLineOfCode = 0
    for token in tree.tokens(viewMode: .sourceAccurate) {
      let start = token.positionAfterSkippingLeadingTrivia.utf8Offset
      if token.leadingTriviaLength.utf8Length > 7 {
        collect(token.leadingTrivia, from: token.position.utf8Offset)
      }
      if token.presence == .present, token.tokenKind != .endOfFile {
        lastLineOfCode = lines.line(of: Int32(clamping: start))
      }
      if token.trailingTriviaLength.utf8Length > 7 {
        collect(token.trailingTrivia, from: token.endPositionBeforeTrailingTrivia.utf8Offset)
      }
    }
    return directives

    func collect(_ trivia: Trivia, from start: Int) {
      var offset = start
      for piece in trivia {
        switch piece {
        case .lineComment(let text), .blockComment(let text), .docLineComment(let text),
          .docBlockComment(let text):
          let line = lines.line(of: Int32(clamping: offset))
          directives += Directive.all(in: text, line: line, followsCode: line == lastLineOfCode)
        default: break
        }
        offset += piece.sourceLength.utf8Length
      }
    }
  }

  private static func skips(
    in tree: SourceFileSyntax, lines: LineTable, path: String
  ) -> [Skip] {
    var skips: [Skip] = []
    var pending = [Syntax(tree)]
    while let node = pending.popLast(), skips.count < 20 {
      guard node.hasError else { continue }
      if node.kind == .unexpectedNodes || node.kind.isMissing
        || (node.as(TokenSyntax.self).map { $0.presence == .missing } ?? false)
      {
        let line = lines.line(
          of: Int32(clamping: node.positionAfterSkippingLeadingTrivia.utf8Offset))
        let skip = Skip(path: path, line: line, reason: "The code is not understood as Swift.")
        if skips.last != skip { skips.append(skip) }
      } else {
        pending += node.children(viewMode: .all).reversed()
      }
    }
    return skips.isEmpty
      ? [Skip(path: path, reason: "The code is not understood as Swift.")] : skips
  }
}

extension Directive {
  /// Returns the directives in a comment, one per line.
  static func all(in comment: String, line: Int, followsCode: Bool) -> [Directive] {
    guard comment.contains("atrest:") else { return [] }
    var directives: [Directive] = []
    for (index, text) in comment.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      let body = text.drop { $0 == "/" || $0 == "*" || $0 == " " || $0 == "\t" || $0 == "!" }
      guard body.hasPrefix("atrest:") else { continue }
      var words = body.dropFirst("atrest:".count)
      if words.hasSuffix("*/") { words = words.dropLast(2) }
      directives.append(
        Directive(
          text: words.trimmingCharacters(in: .whitespaces), line: line + index,
          followsCode: followsCode && index == 0))
    }
    return directives
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func contains(_ word: StaticString) -> Bool {
    guard let base = baseAddress, word.utf8CodeUnitCount > 0 else { return false }
    let length = word.utf8CodeUnitCount
    let last = word.utf8Start[length - 1]
    var offset = length - 1
    while offset < count, let hit = memchr(base + offset, Int32(last), count - offset) {
      let end = base.distance(to: hit.assumingMemoryBound(to: UInt8.self)) + 1
      if memcmp(base + (end - length), word.utf8Start, length) == 0 { return true }
      offset = end
    }
    return false
  }
}
