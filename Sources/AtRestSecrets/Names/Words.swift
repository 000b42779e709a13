/// Splits a name into its words, in lower case.
public enum Words {
  /// Returns the words of a name: `creditCVVTextField`, `txt_pwd` and `kAPIKey2` give
  /// `credit cvv text field`, `txt pwd` and `k api key 2`.
  public static func split(_ name: String) -> [String] {
    var name = name
    if let words = name.withUTF8({ ascii($0) }) { return words }
    let scalars = Array(name.unicodeScalars)
    return ranges(scalars.map(Kind.init)).map { range in
      scalars[range].reduce(into: "") { $0 += $1.properties.lowercaseMapping }
    }
  }

  /// Returns the words of a name in ASCII, or nil if it has other bytes.
  private static func ascii(_ bytes: UnsafeBufferPointer<UInt8>) -> [String]? {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    var words: [String] = []
    var start: Int?
    var previous = Kind.other
    func add(upTo end: Int) {
      guard let start else { return }
      words.append(
        String(unsafeUninitializedCapacity: end - start) { word in
          for (place, byte) in bytes[start..<end].enumerated() {
            word.initializeElement(at: place, to: 0x41...0x5A ~= byte ? byte | 0x20 : byte)
          }
          return end - start
        })
    }
    for (index, byte) in bytes.enumerated() {
      let kind = Kind(byte)
      let next = index + 1 < bytes.count ? Kind(bytes[index + 1]) : nil
      if begins(previous, kind, next) {
        add(upTo: index)
        start = kind == .other ? nil : index
      }
      previous = kind
    }
    add(upTo: bytes.count)
    return words
  }

  /// Returns true if a word ends, or another one begins, between two characters.
  private static func begins(_ previous: Kind, _ kind: Kind, _ next: Kind?) -> Bool {
    switch (previous, kind) {
    case (_, .other), (.other, _): true
    case (.lower, .upper), (.lower, .digit), (.upper, .digit), (.digit, .upper), (.digit, .lower):
      true
    case (.upper, .upper): next == .lower
    default: false
    }
  }

  private static func ranges(_ kinds: [Kind]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    var previous = Kind.other
    for (index, kind) in kinds.enumerated() {
      if begins(previous, kind, index + 1 < kinds.count ? kinds[index + 1] : nil) {
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
