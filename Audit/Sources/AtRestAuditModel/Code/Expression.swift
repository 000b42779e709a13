/// A piece of code that has a value, in the few forms that the rules tell apart.
///
/// Swift and Objective-C are both read into these: `[a b:c d:e]` is a call of the member `b` of `a` with
/// the arguments `c` and `d: e`, `@"x"` is a string, `self->x` is `self.x`, and `try`, `await`,
/// parentheses, `!`, `?` and C casts are left out. What a parser could not make sense of is `.other`, with
/// whatever it could read below. Compared by identity, so that what is found out about one can be
/// remembered.
package final class Expression: Sendable {
  package indirect enum Kind: Sendable {
    /// A string, as its pieces; one without interpolation has a single piece, or none if it is empty.
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
    /// A call. Trailing closures are its last arguments; the first has no label.
    case call(Expression, [Argument])
    /// `base[argument]`.
    case index(Expression, [Argument])
    case array([Expression])
    case dictionary([Pair])
    case tuple([Argument])
    /// A closure or block.
    case closure(Closure)
    /// `target = value`, and `+=` and its like by their operator.
    case assignment(Expression, operator: String, Expression)
    /// Two operands, folded from the left regardless of precedence.
    case binary(Expression, operator: String, Expression)
    /// `!x`, `~x`, `&x`.
    case prefix(operator: String, Expression)
    /// `condition ? first : second`, and if or switch as a value (with the subject as condition).
    case choice(Expression, [Expression])
    /// `x as T`, `x as? T`, `(T)x`, `x is T`, and the type as it is written.
    case cast(Expression, type: String)
    /// Not understood, or not of interest: its parts.
    case other([Expression])
  }

  package let kind: Kind
  /// Where it begins and ends, as UTF-8 offsets in its file.
  package let range: Range<Int32>

  package init(_ kind: Kind, _ range: Range<Int32>) {
    self.kind = kind
    self.range = range
  }
}

/// A part of a string: text with its escapes resolved, or an interpolated value.
package enum StringPiece: Sendable {
  case text(String)
  /// `\(value, privacy: .private)`: the value is the first argument. A format's `%@` is not split: its
  /// values are arguments of the call.
  case value([Argument])
}

/// An argument of a call, with its label if it has one.
package struct Argument: Sendable {
  package let label: String?
  package let value: Expression

  package init(_ label: String?, _ value: Expression) {
    self.label = label
    self.value = value
  }
}

/// A key of a dictionary literal and its value.
package struct Pair: Sendable {
  package let key: Expression
  package let value: Expression

  package init(_ key: Expression, _ value: Expression) {
    self.key = key
    self.value = value
  }
}

/// A closure of Swift or a block of Objective-C.
package struct Closure: Sendable {
  /// The names of its parameters.
  package let parameters: [String]
  package let body: Block

  package init(parameters: [String], body: Block) {
    self.parameters = parameters
    self.body = body
  }
}
