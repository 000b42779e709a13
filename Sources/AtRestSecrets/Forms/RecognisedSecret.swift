/// A secret that a text shows by its form, whatever it is called.
///
/// ```swift
/// RecognisedSecret(in: literal, by: .code)?.noun  // a GitHub token
/// ```
public struct RecognisedSecret: Hashable, Sendable {
  /// The kind of the secret.
  public let kind: SecretKind
  /// The secret with its article, for messages: `a GitHub token`.
  public let noun: String
  /// True for a key of an account without real data.
  public let isForTests: Bool
  /// True for a key that apps may contain if the service restricts its use.
  public let isRestricted: Bool

  /// The place of the secret in the UTF-8 text. A private key is the whole text.
  public let range: Range<Int>

  /// The length of the shortest text that may have a secret.
  public static let shortest = 16

  /// Finds the first private key, JSON Web Token or token of a service in a text, in its exact form.
  /// Thread-safe.
  ///
  /// - Parameter consumer: The part of AtRest that asks. It may leave out forms.
  public init?(in text: String, by consumer: SecretConsumer) {
    var text = text
    guard text.utf8.count >= Self.shortest,
      let found = text.withUTF8({ Self.first(in: $0, consumer) })
    else { return nil }
    self = found
  }

  private init(
    _ kind: SecretKind, _ noun: String, at range: Range<Int>, use: TokenForm.Use = .secret
  ) {
    self.kind = kind
    self.noun = noun
    self.range = range
    isForTests = use == .test
    isRestricted = use == .restricted
  }

  /// True for a token of a documentation, such as `AKIAIOSFODNN7EXAMPLE` in that of AWS.
  private static func isExample(_ token: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    String(decoding: token, as: UTF8.self).contains("EXAMPLE")
  }

  private static func first(
    in text: UnsafeBufferPointer<UInt8>, _ consumer: SecretConsumer
  ) -> RecognisedSecret? {
    var isInWord = false
    for place in 0..<text.count - 1 {
      let byte = text[place]
      defer { isInWord = byte.isAlphanumeric || byte == 0x5F }
      if byte == 0x2D, text[place + 1] == 0x2D {
        if PrivateKeyText(in: text, at: place) != nil {
          return .init(.privateKey, "a private key", at: 0..<text.count)
        }
        continue
      }
      guard !isInWord, byte.isLetter else { continue }
      if let end = WebToken.exactEnd(in: text, at: place) {
        return .init(.webToken, "a JSON web token", at: place..<end)
      }
      guard TokenForm.begins[Int(byte) << 8 | Int(text[place + 1])],
        let (form, end) = TokenForm.exact(in: text, at: place), form.isFound(by: consumer),
        !isExample(text[place..<end])
      else { continue }
      return .init(form.kind, form.noun, at: place..<end, use: form.use)
    }
    return nil
  }
}
