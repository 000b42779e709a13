/// Splits a name into its words, in lower case.
public enum Words {
  /// Returns the words of a name: `creditCVVTextField`, `txt_pwd` and `kAPIKey2` give
  /// `credit cvv text field`, `txt pwd` and `k api key 2`.
  public static func split(_ name: String) -> [String] {
    let bytes = Array(name.utf8)
    if bytes.allSatisfy({ $0 < 0x80 }) {
      return ranges(bytes.map(Kind.init)).map { range in
        String(decoding: bytes[range].map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
      }
    }
    let scalars = Array(name.unicodeScalars)
    return ranges(scalars.map(Kind.init)).map { range in
      scalars[range].reduce(into: "") { $0 += $1.properties.lowercaseMapping }
    }
  }

  private static func ranges(_ kinds: [Kind]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    var previous = Kind.other
    for (index, kind) in kinds.enumerated() {
      let begins =
        switch (previous, kind) {
        case (_, .other), (.other, _): true
        case (.lower, .upper), (.lower, .digit), (.upper, .digit), (.digit, .upper),
          (.digit, .lower):
          true
        case (.upper, .upper): index + 1 < kinds.count && kinds[index + 1] == .lower
        default: false
        }
      if begins {
        if let start { ranges.append(start..<index) }
        start = kind == .other ? nil : index
      }
      previous = kind
    }
    if let start { ranges.append(start..<kinds.count) }
    return ranges
  }

  private enum Kind {
    case lower, upper, digit, other

    init(_ byte: UInt8) {
      self =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        default: .other
        }
    }

    init(_ scalar: Unicode.Scalar) {
      if scalar.isASCII {
        self.init(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        self =
          !scalar.properties.isAlphabetic
          ? .other : scalar.properties.isUppercase ? .upper : .lower
      }
    }
  }
}
