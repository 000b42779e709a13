import AtRestCrypto

/// What a passphrase must be at least.
///
/// ```swift
/// try PassphraseRules.rules(for: .highlySensitive).check(passphrase)
/// ```
public struct PassphraseRules: Sendable, Hashable {
  /// The least number of characters (Unicode scalars of UTF-8), 1 or more.
  public var minimumLength: Int
  /// The least ``PassphraseStrength/log10Guesses``; 0: any.
  public var minimumLog10Guesses: Double
  /// Digits alone are refused below this length; nil: they are judged like everything else.
  public var minimumLengthOfDigitsAlone: Int?

  /// Makes rules.
  public init(
    minimumLength: Int, minimumLog10Guesses: Double, minimumLengthOfDigitsAlone: Int? = nil
  ) {
    self.minimumLength = max(1, minimumLength)
    self.minimumLog10Guesses = minimumLog10Guesses
    self.minimumLengthOfDigitsAlone = minimumLengthOfDigitsAlone
  }

  /// The rules for data of a sensitivity.
  ///
  /// Highly sensitive: 10 characters, 10^10 guesses, and no digits alone below 20 of them.
  /// Sensitive: 8 characters and 10^8 guesses. Consumer grade: not empty.
  public static func rules(for sensitivity: Sensitivity) -> PassphraseRules {
    switch sensitivity {
    case .highlySensitive:
      PassphraseRules(
        minimumLength: 10, minimumLog10Guesses: 10, minimumLengthOfDigitsAlone: 20)
    case .sensitive: PassphraseRules(minimumLength: 8, minimumLog10Guesses: 8)
    case .consumerGrade: PassphraseRules(minimumLength: 1, minimumLog10Guesses: 0)
    }
  }

  /// The longest passphrase that is taken, in bytes.
  public static let maximumCount = 4096

  /// Refuses a passphrase that is too weak.
  ///
  /// - Throws: `AtRestError.Code.weakPassphrase`, which says what is weak and quotes nothing of
  ///   it; ``AtRestError/Code/invalidArgument`` where it has more than 4,096 bytes.
  public func check(_ passphrase: borrowing SecretBytes) throws {
    guard passphrase.count > 0 else {
      throw Self.weak("The passphrase is empty.", "Give one that only you know.")
    }
    guard passphrase.count <= Self.maximumCount else {
      throw AtRestError.invalid(
        "The passphrase has more than \(Self.maximumCount) bytes.", remedy: "Give a shorter one.")
    }
    let (length, isDigits) = passphrase.withUnsafeBytes { bytes in
      (bytes.count { $0 & 0xC0 != 0x80 }, bytes.allSatisfy { (0x30...0x39).contains($0) })
    }
    // Digits first: who adds digits to digits gets nowhere.
    if isDigits, let least = minimumLengthOfDigitsAlone, length < least {
      throw Self.weak(
        "The passphrase consists of digits alone.",
        "Use several words that do not belong together, or letters and signs too.")
    }
    guard length >= minimumLength else {
      throw Self.weak(
        "The passphrase has fewer than \(minimumLength) characters.",
        "Use \(minimumLength) or more: several words that do not belong together are easy to keep.")
    }
    guard minimumLog10Guesses > 0 else { return }
    let strength = PassphraseStrength(of: passphrase)
    guard strength.log10Guesses >= minimumLog10Guesses else {
      let reason =
        strength.weaknesses.isEmpty
        ? "it is too short for what it is made of"
        : strength.weaknesses.joined(separator: ", and ")
      throw Self.weak(
        "The passphrase is guessed too soon: \(reason).",
        "Add words that do not belong together; what is common, regular or repeated adds little.")
    }
  }

  private static func weak(_ message: String, _ remedy: String) -> AtRestError {
    AtRestError(.weakPassphrase, message, remedy: remedy)
  }
}

extension AtRestError.Code {
  /// A passphrase is too easily guessed for what it is to protect.
  public static let weakPassphrase = Self(rawValue: "weak-passphrase")
}
