/// The part of a value to which a pattern binds a name.
package enum Piece: Hashable, Sendable {
  /// The element of a tuple at an index: `b` in `let (a, b) = value`.
  case element(Int)
  /// The value that a case of an enum holds at an index, among as many values as the pattern has: `a` in
  /// `case .success(let a)`.
  case payload(of: String, at: Int, among: Int)
}
