/// An estimate of the number of guesses needed by an attacker who knows how people choose
/// passphrases.
///
/// ```swift
/// let strength = PassphraseStrength(of: passphrase)
/// strength.log10Guesses                    // 6.1: little more than a million
/// strength.weaknesses                      // ["it holds a common word or name"]
/// ```
///
/// The estimate composes the passphrase from the parts that are easiest to guess: common passwords
/// and words, forwards and backwards, with look-alike symbols for letters; some 250 famous phrases;
/// text that reads like a word; runs of the alphabet and of the keyboard, and shapes drawn on it;
/// repetitions; sequences of numbers; dates and years. A word or name with a date, such as a name
/// with a birthday, counts as one of ten million. Each remaining character counts according to
/// its kind, such as letter or digit. The estimate is an upper bound: an unlisted quotation, or a
/// name that means something to the user, is guessed sooner. The result quotes no part of the
/// passphrase.
///
/// The running time is bounded: only the first 256 bytes are judged, and later bytes add no
/// strength. The bytes are copied only to locked memory.
public struct PassphraseStrength: Sendable, Hashable, CustomStringConvertible {
  /// The decimal logarithm of the number of guesses: 6 is a million, 10 is strong.
  public let log10Guesses: Double
  /// The reasons why the passphrase is weaker than its length suggests, each worded to follow
  /// "because".
  public let weaknesses: [String]

  /// Estimates the strength of a passphrase.
  public init(of passphrase: borrowing SecretBytes) {
    let asGiven = passphrase.withUnsafeBytes { Self.judge($0) }
    // Full-width letters, accents, and letters separated by spaces hide a word from a comparison with
    // a list, but not from an attacker.
    let bytes = Self.plain(passphrase)
    let plain = bytes.count < passphrase.count ? bytes.withUnsafeBytes(Self.judge) : asGiven
    (log10Guesses, weaknesses) = plain.0 + 1 < asGiven.0 ? (plain.0 + 1, plain.1) : asGiven
  }

  private static func judge(_ bytes: UnsafeRawBufferPointer) -> (Double, [String]) {
    var parse = PassphraseParse(.init(rebasing: bytes.prefix(judgedCount)))
    parse.run()
    return (parse.total, parse.weaknesses)
  }

  private static func plain(_ passphrase: borrowing SecretBytes) -> SecretBytes {
    passphrase.withUnsafeBytes { bytes in
      var count = 0
      forEachPlainByte(bytes) { _ in count += 1 }
      return SecretBytes(count: count) { plain in
        var index = 0
        forEachPlainByte(bytes) {
          plain[index] = $0
          index += 1
        }
      }
    }
  }

  private static func forEachPlainByte(
    _ bytes: UnsafeRawBufferPointer, _ body: (UInt8) -> Void
  ) {
    let space = UInt8(ascii: " ")
    func isSpaceOrEnd(_ index: Int) -> Bool {
      !bytes.indices.contains(index) || bytes[index] == space
    }
    var index = 0
    while index < bytes.count {
      let left = bytes.count - index
      if left >= 3, bytes[index] == 0xEF, bytes[index + 1] == 0xBC || bytes[index + 1] == 0xBD,
        bytes[index + 1] == 0xBC ? bytes[index + 2] > 0x80 : bytes[index + 2] < 0x9F
      {
        // U+FF01 to U+FF5E are the full-width forms of ASCII.
        body(0x21 &+ (bytes[index + 1] &- 0xBC) &* 0x40 &+ (bytes[index + 2] &- 0x81))
        index += 3
        continue
      }
      if left >= 2, let letter = latinLetter(bytes[index], bytes[index + 1]) {
        body(letter)
        index += 2
        continue
      }
      let spells = bytes[index] == space && isSpaceOrEnd(index - 2) && isSpaceOrEnd(index + 2)
      if !spells { body(bytes[index]) }
      index += 1
    }
  }

  /// Returns the letter without its accent if two bytes are a letter from U+00C0 to U+017F.
  private static func latinLetter(_ first: UInt8, _ second: UInt8) -> UInt8? {
    guard (0xC3...0xC5).contains(first), second & 0xC0 == 0x80 else { return nil }
    return latinLetters.utf8Start[Int(first - 0xC3) * 64 + Int(second & 0x3F)]
  }

  private static let latinLetters: StaticString = """
    AAAAAAACEEEEIIIIDNOOOOO*OUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty\
    AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL\
    lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs
    """

  private static let judgedCount = 256

  public var description: String {
    "some 10^\(Int(log10Guesses.rounded(.down))) guesses"
      + (weaknesses.isEmpty ? "" : ": " + weaknesses.joined(separator: "; "))
  }
}
