/// Bytes decoded from text, each with its position in the text.
struct DecodedText {
  private(set) var bytes: [UInt8] = []
  /// The start of each byte in the text. Like `ends`, it is empty if the bytes are the text itself.
  private var starts: [Int] = []
  private var ends: [Int] = []

  /// Uses text as it is, without decoding it.
  init(text: [UInt8]) { bytes = text }

  /// Creates an empty decoded text.
  init() {}

  mutating func append(_ byte: UInt8, _ start: Int, _ end: Int) {
    bytes.append(byte)
    starts.append(start)
    ends.append(end)
  }

  /// Returns the range in the text from which a range of bytes was decoded. The range must not be
  /// empty.
  func place(of range: Range<Int>) -> Range<Int> {
    starts.isEmpty ? range : starts[range.lowerBound]..<ends[range.upperBound - 1]
  }

  private func place(_ index: Int) -> (Int, Int) {
    starts.isEmpty ? (index, index + 1) : (starts[index], ends[index])
  }

  // MARK: Encodings that keep the rest of the text readable

  /// Returns the text with percent encoding resolved (`%41` as `A`). The result is nil if the text
  /// contains no `%` or, if `plusIsSpace` is true, no `+`.
  ///
  /// - Parameter plusIsSpace: True to read `+` as a space, as forms are encoded.
  func percentDecoded(plusIsSpace: Bool) -> DecodedText? {
    guard bytes.contains(plusIsSpace ? UInt8(ascii: "+") : UInt8(ascii: "%")) else { return nil }
    var result = DecodedText()
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = bytes[index + 1].hexDigit, let low = bytes[index + 2].hexDigit
      {
        result.append(high << 4 | low, index, index + 3)
        index += 3
      } else {
        let isSpace = plusIsSpace && bytes[index] == UInt8(ascii: "+")
        result.append(isSpace ? UInt8(ascii: " ") : bytes[index], index, index + 1)
        index += 1
      }
    }
    return result
  }

  /// Returns the text with the escapes of JSON and of Swift's debug descriptions resolved, or nil
  /// if the text contains no backslash.
  func unescaped() -> DecodedText? {
    guard bytes.contains(UInt8(ascii: "\\")) else { return nil }
    var result = DecodedText()
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
        result.append(bytes[index], index, index + 1)
        index += 1
        continue
      }
      switch bytes[index + 1] {
      case UInt8(ascii: "u"):
        let (scalar, end) = escapedScalar(at: index)
        for byte in Array(String(Character(scalar)).utf8) { result.append(byte, index, end) }
        index = end
        continue
      case UInt8(ascii: "n"): result.append(0x0a, index, index + 2)
      case UInt8(ascii: "r"): result.append(0x0d, index, index + 2)
      case UInt8(ascii: "t"): result.append(0x09, index, index + 2)
      case UInt8(ascii: "b"): result.append(0x08, index, index + 2)
      case UInt8(ascii: "f"): result.append(0x0c, index, index + 2)
      case UInt8(ascii: "0"): result.append(0, index, index + 2)
      case let other: result.append(other, index, index + 2)
      }
      index += 2
    }
    return result
  }

  /// Returns the scalar of `\u0041`, of two such escapes that are a surrogate pair, or of `\u{41}`,
  /// and the index after the escape. If the escape is invalid, the scalar is `u`.
  private func escapedScalar(at index: Int) -> (Unicode.Scalar, Int) {
    func number(_ from: Int, _ count: ClosedRange<Int>) -> (UInt32, Int)? {
      var value: UInt32 = 0
      var end = from
      while end < bytes.count, end - from < count.upperBound, let digit = bytes[end].hexDigit {
        value = value << 4 | UInt32(digit)
        end += 1
      }
      return end - from >= count.lowerBound ? (value, end) : nil
    }
    if index + 2 < bytes.count, bytes[index + 2] == UInt8(ascii: "{"),
      let (value, end) = number(index + 3, 1...8), end < bytes.count,
      bytes[end] == UInt8(ascii: "}"), let scalar = Unicode.Scalar(value)
    {
      return (scalar, end + 1)
    }
    if let (value, end) = number(index + 2, 4...4) {
      if let scalar = Unicode.Scalar(value) { return (scalar, end) }
      if 0xD800..<0xDC00 ~= value, end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\\"),
        bytes[end + 1] == UInt8(ascii: "u"), let (low, lowEnd) = number(end + 2, 4...4),
        0xDC00..<0xE000 ~= low,
        let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
      {
        return (scalar, lowEnd)
      }
    }
    return ("u", index + 2)
  }

  // MARK: Encodings of bytes, in runs of the text

  /// Calls a closure with the bytes of each run of 16 or more hex digits, decoded at both
  /// alignments.
  ///
  /// Spaces, colons, commas and hyphens between digits are skipped.
  func decodingHex(_ body: (DecodedText) -> Void) {
    forEachRun(of: \.hexDigit, passing: { " :,-".utf8.contains($0) }, from: 16) { digits, indexes in
      for phase in 0...1 {
        var result = DecodedText()
        for index in stride(from: phase, to: digits.count - 1, by: 2) {
          result.append(
            digits[index] << 4 | digits[index + 1], place(indexes[index]).0,
            place(indexes[index + 1]).1)
        }
        body(result)
      }
    }
  }

  /// Calls a closure with the bytes of each run of 11 or more base64 characters (standard or URL
  /// alphabet), decoded at all four alignments. Text directly before encoded bytes therefore does
  /// not matter.
  ///
  /// Line breaks between characters are skipped.
  func decodingBase64(_ body: (DecodedText) -> Void) {
    forEachRun(of: \.base64Digit, passing: { $0 == 0x0a || $0 == 0x0d }, from: 11) {
      digits, indexes in
      for phase in 0...3 where digits.count > phase {
        var result = DecodedText()
        var bits: UInt32 = 0
        var count = 0
        var first = phase
        for index in phase..<digits.count {
          if count == 0 { first = index }
          bits = bits << 6 | UInt32(digits[index])
          count += 6
          guard count >= 8 else { continue }
          count -= 8
          result.append(
            UInt8(truncatingIfNeeded: bits >> UInt32(count)), place(indexes[first]).0,
            place(indexes[index]).1)
          first = index
        }
        body(result)
      }
    }
  }

  private func forEachRun(
    of digit: (UInt8) -> UInt8?, passing isPassed: (UInt8) -> Bool, from least: Int,
    _ body: ([UInt8], [Int]) -> Void
  ) {
    var digits: [UInt8] = []
    var indexes: [Int] = []
    for (index, byte) in bytes.enumerated() {
      if let value = digit(byte) {
        digits.append(value)
        indexes.append(index)
      } else if !isPassed(byte) {
        if digits.count >= least { body(digits, indexes) }
        digits.removeAll(keepingCapacity: true)
        indexes.removeAll(keepingCapacity: true)
      }
    }
    if digits.count >= least { body(digits, indexes) }
  }
}

extension UInt8 {
  var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  fileprivate var base64Digit: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
