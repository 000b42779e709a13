/// A part of a string: text with its escapes resolved, or an interpolated value.
package enum StringPiece: Sendable {
  case text(String)
  /// `\(value, privacy: .private)`, with the value as first argument. The `%@` of a format is not
  /// split, because its values are arguments of the call.
  case value([Argument])
}
