extension ObjectiveCToken.Kind {
  /// The bracket that closes this bracket.
  var closing: ObjectiveCToken.Kind? {
    switch self {
    case .openParen: .closeParen
    case .openBracket: .closeBracket
    case .openBrace: .closeBrace
    default: nil
    }
  }
}

enum ObjectiveCBrackets {
  /// Stores in each opening bracket the index of the token that ends it, so that the parser never
  /// reads past that token.
  ///
  /// A closing brace also ends the parentheses and square brackets that are open within it. `@end`,
  /// `@interface` and `@implementation` end all open brackets, as does the end of the file.
  static func match(_ tokens: inout [ObjectiveCToken]) {
    var open: [Open] = []
    for index in tokens.indices {
      let kind = tokens[index].kind
      switch kind {
      case .openParen, .openBracket, .openBrace:
        var entry = Open(token: index, kind: kind)
        if kind != .openBrace {
          let outer = open.last
          entry.parens = (outer?.parens ?? 0) + (kind == .openParen ? 1 : 0)
          entry.brackets = (outer?.brackets ?? 0) + (kind == .openBracket ? 1 : 0)
        }
        entry.braces = (open.last?.braces ?? 0) + (kind == .openBrace ? 1 : 0)
        open.append(entry)
      case .closeParen where open.last.map { $0.parens > 0 } == true,
        .closeBracket where open.last.map { $0.brackets > 0 } == true,
        .closeBrace where open.last.map { $0.braces > 0 } == true:
        while let entry = open.popLast() {
          tokens[entry.token].value = Int32(index)
          if entry.kind.closing == kind {
            tokens[index].value = Int32(entry.token)
            break
          }
        }
      case .atWord:
        switch ObjectiveCWord(rawValue: tokens[index].value) {
        case .interface, .implementation, .end:
          for entry in open { tokens[entry.token].value = Int32(index) }
          open.removeAll()
        default: break
        }
      default: break
      }
    }
    for entry in open { tokens[entry.token].value = Int32(tokens.count) }
  }

  private struct Open {
    let token: Int
    let kind: ObjectiveCToken.Kind
    /// The numbers of brackets that are open. Parentheses and square brackets are counted from the
    /// last open brace.
    var parens = 0
    var brackets = 0
    var braces = 0
  }
}
