/// Something sensitive in a value. No description of it holds the thing itself.
package struct Detection: Hashable, Sendable, CustomStringConvertible {
  package let kind: Kind
  /// Bytes from the start of the value, as UTF-8 if it is text.
  package let range: Range<Int>
  package let confidence: Confidence
  /// What may be shown of it: at most two characters of either end, and only of what is long.
  package let excerpt: String
  /// What more is known: whose key it is, what a token claims.
  package let note: String?

  package enum Kind: String, CaseIterable, Codable, Sendable {
    case password
    /// A token, cookie or identifier of a session: who has it is let in.
    case token
    /// A key that a provider of services gave out.
    case apiKey = "api-key"
    /// JSON Web Token (RFC 7519).
    case webToken = "web-token"
    case privateKey = "private-key"
    case cardNumber = "card-number"
    case bankAccount = "bank-account"
    case identityNumber = "identity-number"
    case email, phone, address
    case dateOfBirth = "date-of-birth"
    case location, health
  }

  package enum Confidence: Int, Comparable, Codable, Sendable {
    /// It looks so, and other things look so too.
    case possible
    /// Its name says so, and its form does not speak against it.
    case likely
    /// Its form alone proves it.
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
    _ kind: Kind, _ range: Range<Int>, _ confidence: Confidence, in text: [UInt8],
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
