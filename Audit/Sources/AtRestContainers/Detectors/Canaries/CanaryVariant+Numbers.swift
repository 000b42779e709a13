extension CanaryVariant.Form {
  /// A card, account or telephone number with other separators or without any. Empty for other
  /// canaries.
  func grouped() -> [CanaryVariant] {
    // `+49 (0)30 …` has a trunk prefix that is not dialled after the code of the country.
    let bare = Self.withoutSeparators(Self.withoutTrunkPrefix(text))
    let digits = bare.count(where: ASCII.isDigit)
    guard digits >= 7, digits * 2 >= bare.count,
      bare.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == 0x2B })
    else { return [] }
    var variants: [CanaryVariant] = []
    if digits >= 8 {
      var plain = variant(bare, ["separators"])
      plain.comparison = .anyCase
      plain.bounds = .digits
      plain.gaps = .groups
      variants.append(plain)
    }
    if let national = Self.nationalNumber(bare) {
      var telephone = variant(national, ["dialling prefix"])
      telephone.bounds = .telephone
      telephone.gaps = .groups
      variants.append(telephone)
    }
    return variants
  }

  private static func withoutTrunkPrefix(_ text: String) -> String {
    text.split(separator: "(0)", omittingEmptySubsequences: false).joined()
  }

  private static func withoutSeparators(_ text: String) -> [UInt8] {
    let kept = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x20, 0x28, 0x29, 0x2D...0x2F, 0x5F, 0xA0, 0x2000...0x2015, 0x202F, 0x2212: false
      default: true
      }
    }
    return Array(String(String.UnicodeScalarView(kept)).utf8)
  }

  /// The codes of countries with two digits. 1 and 7 have one digit, and all others three.
  private static let twoDigitCodes: Set<Int> = [
    20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56,
    57, 58, 60, 61, 62, 63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95, 98,
  ]

  /// The part of a telephone number (E.164) that is the same from within the country and from
  /// outside, or nil if the number is none.
  private static func nationalNumber(_ bare: [UInt8]) -> [UInt8]? {
    let hasPlus = bare.first == 0x2B
    var digits = bare.dropFirst(hasPlus ? 1 : 0)
    guard (7...17).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else { return nil }
    if hasPlus || digits.starts(with: [0x30, 0x30]) {
      if !hasPlus { digits = digits.dropFirst(2) }
      let code = digits.prefix(2).reduce(0) { $0 * 10 + Int($1 &- 0x30) }
      let length =
        code / 10 == 1 || code / 10 == 7 ? 1 : twoDigitCodes.contains(code) ? 2 : 3
      digits = digits.dropFirst(length)
    } else if digits.first == 0x30 {
      digits = digits.dropFirst()
    } else if digits.count > 12 {
      // A card number has no prefix.
      return nil
    }
    return (7...13).contains(digits.count) ? Array(digits) : nil
  }
}
