/// The form of a JSON Web Token (RFC 7519), signed or encrypted.
public enum WebToken {
  /// The maximum length of a token.
  private static let longest = 16_384

  /// Returns the end of the token that begins at an index: three parts (JWS) or five (JWE), the first of which
  /// decodes to a header that names an algorithm. Nil if there is none.
  public static func exactEnd(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    guard text.count - start > 20, text[start] == 0x65, text[start + 1] == 0x79,
      text[start + 2] == 0x4A, start == 0 || !isPart(text[start - 1])
    else { return nil }
    let last = min(text.count, start + longest)
    var end = start
    while end < last, isPart(text[end]) || text[end] == 0x3D { end += 1 }
    while text[end - 1] == 0x2E, end > start + 1, end < text.count { end -= 1 }
    let parts = text[start..<end].split(separator: 0x2E, omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 5, let head = parts.first, isHeader(head) else {
      return nil
    }
    return end
  }

  /// A character of a part in base64url or base64, or the dot between parts.
  private static func isPart(_ byte: UInt8) -> Bool {
    TokenAlphabet.path.contains(byte) || byte == 0x2B
  }

  /// Returns true if base64 decodes to a JSON object that names an algorithm.
  private static func isHeader(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard text.count <= 4096,
      let bytes = ByteRun.base64.bytes(of: .init(rebasing: text.prefix { $0 != 0x3D }))
    else { return false }
    return bytes.first == 0x7B && bytes.last == 0x7D
      && String(decoding: bytes, as: UTF8.self).contains("\"alg\"")
  }
}
