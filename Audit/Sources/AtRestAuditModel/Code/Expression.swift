/// A piece of code that has a value, in the few forms that the rules distinguish.
///
/// Swift and Objective-C share these forms: `[a b:c d:e]` is a call of the member `b` of `a` with
/// the arguments `c` and `d: e`, `@"x"` is a string, and `self->x` is `self.x`. `try`, `await`,
/// parentheses, `!`, `?` and C casts are left out. Code that a parser cannot read is `.other`, with
/// the parts that it could read. Expressions are compared by identity, so that facts about them can
/// be cached.
package final class Expression: Sendable {
  package indirect enum Kind: Sendable {
    /// A string as its pieces. A string without interpolation has one piece, and an empty string
    /// has none.
    case string([StringPiece])
    /// A number as written, with its sign: `-1`, `0xCF`, `1_000`.
    case number(String)
    case boolean(Bool)
    /// `nil`, `NULL`, `Nil`.
    case null
    /// A name without a base: `password`, `self`, `UserDefaults`, `kSecClass`.
    case name(String)
    /// `base.name`, or `.name` if there is no base.
    case member(Expression?, String)
    /// A call. Trailing closures are its last arguments, and the first of them has no label.
    case call(Expression, [Argument])
    /// `base[argument]`.
    case index(Expression, [Argument])
    case array([Expression])
    case dictionary([Pair])
    case tuple([Argument])
    /// A closure or block.
    case closure(Closure)
    /// `target = value`, and compound assignments such as `+=` with their operator.
    case assignment(Expression, operator: String, Expression)
    /// Two operands, folded from the left regardless of precedence.
    case binary(Expression, operator: String, Expression)
    /// `!x`, `~x`, `&x`.
    case prefix(operator: String, Expression)
    /// `condition ? first : second`, or an `if` or `switch` that is used as a value. For a
    /// `switch`, the first expression is its subject.
    case choice(Expression, [Expression])
    /// `x as T`, `x as? T`, `(T)x` and `x is T`, with the type as written.
    case cast(Expression, type: String)
    /// Other code, as its parts.
    case other([Expression])
  }

  package let kind: Kind
  /// The range in UTF-8 offsets of the file.
  package let range: Range<Int32>

  package init(_ kind: Kind, _ range: Range<Int32>) {
    self.kind = kind
    self.range = range
  }
}
