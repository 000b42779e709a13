import AtRestSecrets

/// Sensitive data in a value. Descriptions of a detection do not contain the data.
package struct Detection: Hashable, Sendable, CustomStringConvertible {
  package let kind: SecretKind
  /// The range in the value, in bytes. A string counts as UTF-8.
  package let range: Range<Int>
  package let confidence: Confidence
  /// A masked form that may be shown: at most two characters of each end, and only of long data.
  package let excerpt: String
  /// Additional information: the provider of a key, the claims of a token.
  package let note: String?

  package enum Confidence: Int, Comparable, Codable, Sendable {
    /// The form fits, but other data can have it too.
    case possible
    /// The name says so, and the form does not contradict it.
    case likely
    /// The form alone proves it.
    case certain

    package static func < (left: Confidence, right: Confidence) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  package var description: String {
    "\(kind.rawValue) \(excerpt)" + (note.map { " (\($0))" } ?? "")
  }
}

extension Detection {
  init(
    _ kind: SecretKind, _ range: Range<Int>, _ confidence: Confidence,
    in text: UnsafeBufferPointer<UInt8>,
    note: String? = nil
  ) {
    self.kind = kind
    self.range = range
    self.confidence = confidence
    self.note = note
    excerpt = Self.masked(String(decoding: text[range].prefix(4096), as: UTF8.self))
  }

  private static func masked(_ text: String) -> String {
    text.count > 8 && text.allSatisfy({ !$0.isNewline })
      ? "\(text.prefix(2))…\(text.suffix(2))" : "…"
  }
}
