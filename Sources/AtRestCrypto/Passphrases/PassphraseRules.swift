/// The treatment of a passphrase that is too easy to guess.
public enum WeakPassphrases: Sendable, Hashable {
  /// Weak passphrases are refused with `AtRestError.Code.weakPassphrase`.
  case refuse
  /// Weak passphrases are accepted, because the caller knows better.
  case accept
}

/// The minimum requirements for a passphrase.
///
/// ```swift
/// try PassphraseRules.highlySensitive.check(passphrase)
/// ```
public struct PassphraseRules: Sendable, Hashable {
  /// The minimum number of characters (Unicode scalars) in a passphrase, 1 or more.
  public var minimumLength: Int
  /// The minimum ``PassphraseStrength/log10Guesses``; 0 accepts any passphrase.
  package var minimumLog10Guesses: Double
  /// The minimum number of characters in a passphrase that consists only of digits, or nil to judge
  /// digits like other characters.
  package var minimumLengthOfDigitsAlone: Int?

  /// Creates rules.
  public init(
    minimumLength: Int, minimumLog10Guesses: Double, minimumLengthOfDigitsAlone: Int? = nil
  ) {
    self.minimumLength = max(1, minimumLength)
    self.minimumLog10Guesses = minimumLog10Guesses
    self.minimumLengthOfDigitsAlone = minimumLengthOfDigitsAlone
  }

  /// The rules for highly sensitive data and for backups, which an attacker can copy and attack for
  /// years: at least 10 characters (20 if all are digits) and 10^10 guesses.
  public static let highlySensitive = PassphraseRules(
    minimumLength: 10, minimumLog10Guesses: 10, minimumLengthOfDigitsAlone: 20)
  /// The rules for sensitive data: at least 8 characters and 10^8 guesses.
  public static let sensitive = PassphraseRules(minimumLength: 8, minimumLog10Guesses: 8)
  /// The rules for consumer-grade data: a passphrase that is not empty.
  public static let consumerGrade = PassphraseRules(minimumLength: 1, minimumLog10Guesses: 0)

  /// The longest accepted passphrase, in bytes.
  public static let maximumCount = 4096

  /// Checks that a passphrase is strong enough.
  ///
  /// - Parameter weakPassphrases: ``WeakPassphrases/accept`` to check only that the passphrase is
  ///   neither empty nor too long.
  /// - Throws: `AtRestError.Code.weakPassphrase`, which says why the passphrase is weak and quotes
  ///   no part of it; ``AtRestError/Code/invalidArgument`` if the passphrase has more than 4,096
  ///   bytes.
  public func check(
    _ passphrase: borrowing SecretBytes, weakPassphrases: WeakPassphrases = .refuse
  ) throws {
    if weakPassphrases == .accept, self != .consumerGrade {
      return try PassphraseRules.consumerGrade.check(passphrase)
    }
    guard passphrase.count > 0 else {
      throw Self.weak("The passphrase is empty.", "Choose one that only you know.")
    }
    guard passphrase.count <= Self.maximumCount else {
      throw AtRestError.invalid(
        "The passphrase has more than \(Self.maximumCount) bytes.", remedy: "Choose a shorter one.")
    }
    let (length, isDigits) = passphrase.withUnsafeBytes { bytes in
      (bytes.count { $0 & 0xC0 != 0x80 }, bytes.allSatisfy { (0x30...0x39).contains($0) })
    }
    // Digits are checked first, so that the advice for a short passphrase does not lead to more
    // digits.
    if isDigits, let least = minimumLengthOfDigitsAlone, length < least {
      throw Self.weak(
        "The passphrase consists of digits only.",
        "Use several unrelated words, or add letters and symbols.")
    }
    guard length >= minimumLength else {
      throw Self.weak(
        "The passphrase has fewer than \(minimumLength) characters.",
        "Use \(minimumLength) or more: several unrelated words are easy to remember.")
    }
    guard minimumLog10Guesses > 0 else { return }
    let strength = PassphraseStrength(of: passphrase)
    guard strength.log10Guesses >= minimumLog10Guesses else {
      let reason =
        strength.weaknesses.isEmpty
        ? "it is too short for its parts"
        : strength.weaknesses.joined(separator: ", and ")
      throw Self.weak(
        "The passphrase is too easy to guess: \(reason).",
        "Add unrelated words. Common, regular or repeated text adds little.")
    }
  }

  private static func weak(_ message: String, _ remedy: String) -> AtRestError {
    AtRestError(.weakPassphrase, message, remedy: remedy)
  }
}

extension AtRestError.Code {
  /// The passphrase is too easy to guess for the data that it would protect.
  public static let weakPassphrase = Self(rawValue: "weak-passphrase")
}
