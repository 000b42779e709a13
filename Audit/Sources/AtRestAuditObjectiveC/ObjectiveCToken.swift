/// A piece of C or Objective-C as the lexer cuts it.
struct ObjectiveCToken {
  enum Kind: UInt8 {
    /// What stands past the last token.
    case end
    case word, number, character
    /// `"x"` and `@"x"`.
    case string, objectString
    /// `@interface`, with the number of the name behind the `@`.
    case atWord
    /// `@` before `(`, `[`, `{` or a number.
    case at
    case openParen, closeParen, openBracket, closeBracket, openBrace, closeBrace
    case semicolon, comma, colon, doubleColon, question, dot, arrow, ellipsis, hash
    case plus, minus, star, ampersand, doubleAmpersand, not, complement, caret, less, greater
    /// `++` and `--`.
    case step
    case assign
    /// `+=` and its like.
    case compoundAssign
    /// An operator that stands between two operands alone.
    case between
  }

  let kind: Kind
  let isFirstOnLine: Bool
  /// Whether `#if` stands before it.
  var startsCondition = false
  let start: Int32
  let end: Int32
  /// The number of a word's name; of an opening bracket the token that ends it, of a closing one the
  /// token that it ends, or -1.
  var value: Int32
}
