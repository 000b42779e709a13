import AtRestCrypto

/// How many guesses somebody needs who knows what people choose.
///
/// ```swift
/// let strength = PassphraseStrength(of: passphrase)
/// strength.log10Guesses                    // 6.1: little more than a million
/// strength.weaknesses                      // ["it holds a common word or name"]
/// ```
///
/// The passphrase is taken apart into the parts that are guessed soonest: common passwords and
/// words, forwards and backwards, with look-alike signs for letters; what reads like a word; runs
/// of the alphabet and of the keyboard; repeats; dates; and what is left, by its kind of character.
/// It is an estimate from above: a quotation, or a name that means something to its owner, is
/// guessed sooner. No part of it quotes the passphrase.
///
/// The time is bounded: of a passphrase of more than 256 bytes the first 256 are judged, and the
/// rest counts for nothing. Reads the bytes where they lie, and copies none.
public struct PassphraseStrength: Sendable, Hashable, CustomStringConvertible {
  /// The decimal logarithm of the number of guesses: 6 is a million, 10 is strong.
  public let log10Guesses: Double
  /// What makes it weaker than its length, each in words that follow "because".
  public let weaknesses: [String]

  /// Estimates the strength of a passphrase.
  public init(of passphrase: borrowing SecretBytes) {
    (log10Guesses, weaknesses) = passphrase.withUnsafeBytes { bytes in
      var parse = PassphraseParse(.init(rebasing: bytes.prefix(Self.judgedCount)))
      parse.run()
      return (parse.total, parse.weaknesses)
    }
  }

  private static let judgedCount = 256

  public var description: String {
    "some 10^\(Int(log10Guesses.rounded(.down))) guesses"
      + (weaknesses.isEmpty ? "" : ": " + weaknesses.joined(separator: "; "))
  }
}
