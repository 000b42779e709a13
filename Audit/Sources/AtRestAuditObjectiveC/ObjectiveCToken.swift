/// A token of C or Objective-C.
struct ObjectiveCToken {
  enum Kind: UInt8 {
    /// The token after the last one.
    case end
    case word, number, character
    /// `"x"` and `@"x"`.
    case string, objectString
    /// `@interface`, with the number of the name after the `@`.
    case atWord
    /// `@` before `(`, `[`, `{` or a number.
    case at
    case openParen, closeParen, openBracket, closeBracket, openBrace, closeBrace
    case semicolon, comma, colon, doubleColon, question, dot, arrow, ellipsis, hash
    case plus, minus, star, ampersand, doubleAmpersand, not, complement, caret, less, greater
    /// `++` and `--`.
    case step
    case assign
    /// `+=` and other compound assignments.
    case compoundAssign
    /// An operator that is always between two operands.
    case between
  }

  let kind: Kind
  let isFirstOnLine: Bool
  /// True if an `#if` precedes the token.
  var startsCondition = false
  let start: Int32
  let end: Int32
  /// For a word, the number of its name. For an opening bracket, the index of the token that ends
  /// the bracket. For a closing bracket, the index of the matching opening bracket, or -1 if there
  /// is none.
  var value: Int32
}
