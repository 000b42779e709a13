import AtRestAuditModel

extension Literal {
  /// The origin of a string, according to its characters.
  package enum Form: Sendable {
    /// Drawn at random: a key, a token, a digest.
    case random
    /// Letters with digits or signs, as a password has them, or the digits of a PIN.
    case mixed
    /// Words, or an identifier such as a UUID.
    case words
  }

  /// Returns the form of a string.
  package static func form(of text: String) -> Form {
    let bytes = Array(text.utf8)
    if isUUID(bytes) || isWritten(text) { return .words }
    let digits = bytes.count { 0x30...0x39 ~= $0 }
    let letters = bytes.count { 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
    if letters == 0 { return 4...12 ~= digits && digits == bytes.count ? .mixed : .words }
    let isOneWord = bytes.allSatisfy { byte in
      0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
        || "+/=_-.~".utf8.contains(byte)
    }
    if isOneWord, bytes.count >= 16, digits >= 2, Set(bytes).count >= 8, changes(bytes) >= 4 {
      return .random
    }
    let signs = bytes.count { "!@#$%^&*+=?~".utf8.contains($0) }
    // `1password` is a word with a number before it.
    let isNumbered =
      text.drop(while: \.isNumber).allSatisfy(\.isLetter) && text.first?.isNumber == true
    return bytes.count >= 6 && (digits > 0 || signs > 0) && !isNumbered && !isNameLike(text)
      ? .mixed : .words
  }

  /// Returns how often letters and digits follow each other.
  private static func changes(_ bytes: [UInt8]) -> Int {
    zip(bytes, bytes.dropFirst()).count { first, second in
      (0x30...0x39 ~= first) != (0x30...0x39 ~= second)
        || (0x41...0x5A ~= first) != (0x41...0x5A ~= second)
    }
  }

  /// Returns true if most of a text is words between signs, as in a type of media or an identifier.
  private static func isWritten(_ text: String) -> Bool {
    let parts = text.split { !$0.isLetter && !$0.isNumber }
    guard parts.count > 2 else { return false }
    let words = parts.filter { part in
      part.utf8.count > 2 && part.dropFirst().allSatisfy { $0.isLowercase && $0.isLetter }
    }
    return words.reduce(0) { $0 + $1.utf8.count } * 2 > text.utf8.count
  }

  private static func isUUID(_ bytes: [UInt8]) -> Bool {
    bytes.count == 36
      && bytes.indices.allSatisfy { index in
        let isHyphen = bytes[index] == 0x2D
        return [8, 13, 18, 23].contains(index) ? isHyphen : !isHyphen
      }
  }
}
