/// The form of a private key in PEM (RFC 7468), of OpenSSH or PGP.
public struct PrivateKeyText: Sendable {
  /// The range from `-----BEGIN` to the end of the `-----END` line, or of the text.
  public let range: Range<Int>
  /// The label of the key, such as `RSA PRIVATE KEY`.
  public let label: String
  /// True if the key is encrypted with a password.
  public let isEncrypted: Bool

  private static let longest = 16_384
  /// The number of characters that the smallest key has. Parsers contain the header without a key.
  private static let shortestBody = 32
  private static let begin = Array("-----BEGIN ".utf8)
  private static let end = Array("-----END ".utf8)
  private static let dashes = Array("-----".utf8)

  /// Reads the private key that begins at an index. The result is nil if no private key begins there.
  public init?(in text: UnsafeBufferPointer<UInt8>, at start: Int) {
    guard text.count - start > 27, text[start] == 0x2D, text[start + 1] == 0x2D,
      text[start..<start + Self.begin.count].elementsEqual(Self.begin)
    else { return nil }
    let first = start + Self.begin.count
    let head = text[first..<min(text.count, start + 64)]
    guard let close = Self.index(of: Self.dashes, in: head) else { return nil }
    label = String(decoding: text[first..<close], as: UTF8.self)
    guard label.hasSuffix("PRIVATE KEY") || label == "PGP PRIVATE KEY BLOCK" else { return nil }
    let body = close + Self.dashes.count
    let last = min(text.count, start + Self.longest)
    let stop = Self.index(of: Self.end, in: text[body..<last])
    guard (stop ?? last) - body >= Self.shortestBody,
      text[body..<body + Self.shortestBody].count(where: { $0 == 0x2D }) < 5
    else { return nil }
    let finish = stop.map { $0 + Self.end.count + close - first + Self.dashes.count } ?? last
    range = start..<min(text.count, finish)
    let isMarked = Self.index(
      of: Array("ENCRYPTED".utf8), in: text[start..<min(range.upperBound, start + 120)])
    isEncrypted = isMarked != nil
  }

  private static func index(
    of word: [UInt8], in text: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Int? {
    guard text.count >= word.count else { return nil }
    return (text.startIndex...text.endIndex - word.count).first { start in
      text[start] == word[0] && text[start..<start + word.count].elementsEqual(word)
    }
  }
}
