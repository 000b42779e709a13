/// A word or symbol of Swift code.
struct SwiftToken {
  enum Kind {
    case word, sign
    /// `#if`, `#elseif`, `#else` and `#endif`, with their conditions.
    case directive([String])
  }

  let kind: Kind
  let text: String
  /// The offset of its first byte.
  let offset: Int
}
