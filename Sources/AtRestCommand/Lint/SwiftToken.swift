/// A word or sign of Swift code.
struct SwiftToken {
  enum Kind {
    case word, sign
    /// `#if`, `#elseif`, `#else` and `#endif`, with their conditions.
    case directive([String])
  }

  let kind: Kind
  let text: String
  /// Where it begins, in bytes.
  let offset: Int
}
