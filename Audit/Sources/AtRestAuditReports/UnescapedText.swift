/// A text without the escapes of one kind, and the place of each of its bytes in the text as written.
struct UnescapedText {
  enum Style: CaseIterable {
    /// `&amp;`, `&#38;`
    case entities
    /// `\n`, `\u0026`, `\x26`, `\046`
    case backslashes
    /// `%26`
    case percents

    fileprivate var mark: UInt8 {
      switch self {
      case .entities: UInt8(ascii: "&")
      case .backslashes: UInt8(ascii: "\\")
      case .percents: UInt8(ascii: "%")
      }
    }
  }

  private(set) var bytes: [UInt8] = []
  /// The offset at which each byte is written.
  private var starts: [Int] = []
  private let end: Int

  /// Removes the escapes from a text. Returns nil if it contains none of this kind.
  init?(_ text: [UInt8], _ style: Style) {
    guard text.contains(style.mark) else { return nil }
    end = text.count
    bytes.reserveCapacity(text.count)
    starts.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == style.mark, let (decoded, length) = Self.escape(text[index...], style) {
        bytes += decoded
        starts += Array(repeating: index, count: decoded.count)
        index += length
      } else {
        bytes.append(text[index])
        starts.append(index)
        index += 1
      }
    }
  }

  /// Returns the range that a range of the bytes has in the text as written.
  func written(_ range: Range<Int>) -> Range<Int> {
    func place(_ index: Int) -> Int { index < starts.count ? starts[index] : end }
    var upper = range.upperBound
    // An escape that is several bytes is masked as a whole.
    while upper < starts.count, upper > 0, starts[upper] == starts[upper - 1] { upper += 1 }
    return place(range.lowerBound)..<place(upper)
  }

  /// Returns the bytes of the escape with which a text begins, and its length.
  private static func escape(
    _ text: ArraySlice<UInt8>, _ style: Style
  ) -> (bytes: [UInt8], length: Int)? {
    switch style {
    case .entities: entity(text)
    case .backslashes: backslash(text)
    case .percents:
      number(text.dropFirst(), radix: 16, digits: 2...2).map { ([UInt8($0.value)], 3) }
    }
  }

  private static func entity(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
    guard let end = text.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: text[(text.startIndex + 1)..<end], as: UTF8.self)
    let scalar: Unicode.Scalar? =
      switch name {
      case "lt": "<"
      case "gt": ">"
      case "amp": "&"
      case "quot": "\""
      case "apos": "'"
      case let name where name.lowercased().hasPrefix("#x"):
        UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      case let name where name.hasPrefix("#"):
        UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
      default: nil
      }
    return scalar.map { (Array(String(Character($0)).utf8), end - text.startIndex + 1) }
  }

  private static func backslash(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
    let rest = text.dropFirst()
    guard let letter = rest.first else { return nil }
    switch letter {
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let isBraced = rest.dropFirst().first == UInt8(ascii: "{")
      guard
        let (first, length) = number(
          rest.dropFirst(isBraced ? 2 : 1), radix: 16, digits: isBraced ? 1...8 : 4...4)
      else { return nil }
      if isBraced {
        let close = rest.dropFirst(2 + length).first == UInt8(ascii: "}") ? 1 : 0
        return Unicode.Scalar(first).map {
          (Array(String(Character($0)).utf8), 3 + length + close)
        }
      }
      let next = text.dropFirst(6)
      if 0xD800..<0xDC00 ~= first, next.first == UInt8(ascii: "\\"),
        let (second, _) = number(next.dropFirst(2), radix: 16, digits: 4...4)
      {
        let units = [UInt16(first), UInt16(truncatingIfNeeded: second)]
        return (Array(String(decoding: units, as: UTF16.self).utf8), 12)
      }
      // Eight digits are those of C.
      if letter == UInt8(ascii: "U"), first < 0x11,
        let (second, _) = number(next, radix: 16, digits: 4...4),
        let scalar = Unicode.Scalar(first << 16 | second)
      {
        return (Array(String(Character(scalar)).utf8), 10)
      }
      return Unicode.Scalar(first).map { (Array(String(Character($0)).utf8), 6) }
    case UInt8(ascii: "x"):
      return number(rest.dropFirst(), radix: 16, digits: 1...2).map {
        ([UInt8($0.value)], 2 + $0.length)
      }
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      return number(rest, radix: 8, digits: 1...3).map {
        ([UInt8(truncatingIfNeeded: $0.value)], 1 + $0.length)
      }
    default: return ([letter], 2)
    }
  }

  private static func number(
    _ text: ArraySlice<UInt8>, radix: UInt32, digits: ClosedRange<Int>
  ) -> (value: UInt32, length: Int)? {
    var value: UInt32 = 0
    var length = 0
    for byte in text.prefix(digits.upperBound) {
      let digit: UInt32
      switch byte {
      case 0x30...0x39: digit = UInt32(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: digit = UInt32((byte | 0x20) - 0x57)
      default: digit = radix
      }
      guard digit < radix else { break }
      value = value << (radix == 16 ? 4 : 3) | digit
      length += 1
    }
    return digits.contains(length) ? (value, length) : nil
  }
}
