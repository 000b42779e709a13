/// The encodings of bytes that take up a run of a text.
enum ByteRun: CaseIterable {
  /// Standard and URL alphabet, also with line breaks.
  case base64
  /// The alphabet of RFC 4648 in either case.
  case base32
  /// Hex digits, also with separators, line breaks and `0x`.
  case hex
  /// Numbers from 0 to 255 or from -128 to 127, decimal or hexadecimal, with other characters
  /// than letters between them.
  case list

  /// The minimum number of digits, or of numbers, that can hold 8 bytes.
  var minimumCount: Int {
    switch self {
    case .base64: 11
    case .base32: 13
    case .hex: 16
    case .list: 8
    }
  }

  /// The number of bits of a digit.
  var bits: Int {
    switch self {
    case .base64: 6
    case .base32: 5
    case .hex: 4
    case .list: 8
    }
  }

  /// The number of digits at one of which the encoded bytes begin, if other text precedes them.
  var phases: Int {
    switch self {
    case .base64: 4
    case .base32: 8
    case .hex: 2
    case .list: 1
    }
  }

  /// Calls a closure with the digits of each run that is long enough, and with their places.
  func forEachRun(
    in text: UnsafeBufferPointer<UInt8>, _ body: (_ digits: [UInt8], _ places: [Range<Int>]) -> Void
  ) {
    guard self != .list else { return Self.forEachList(in: text, body) }
    var digits: [UInt8] = []
    var places: [Range<Int>] = []
    for (index, byte) in text.enumerated() {
      if let value = value(of: byte) {
        digits.append(value)
        places.append(index..<index + 1)
      } else if isPassed(byte) {
        // The zero of `0x` is not a digit.
        if byte | 0x20 == UInt8(ascii: "x"), index > 0, text[index - 1] == UInt8(ascii: "0") {
          digits.removeLast()
          places.removeLast()
        }
      } else {
        if digits.count >= minimumCount { body(digits, places) }
        digits.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
      }
    }
    if digits.count >= minimumCount { body(digits, places) }
  }

  func value(of byte: UInt8) -> UInt8? {
    let value =
      switch self {
      case .base64: ByteClass.base64Values[Int(byte)]
      case .base32: ByteClass.base32Values[Int(byte)]
      case .hex: ByteClass.hexValues[Int(byte)]
      case .list: UInt8(0xFF)
      }
    return value == 0xFF ? nil : value
  }

  /// Returns true for bytes that may be between two digits.
  func isPassed(_ byte: UInt8) -> Bool {
    switch self {
    case .base64: byte == 0x0a || byte == 0x0d
    case .hex: byte.isBetweenHex
    case .base32, .list: false
    }
  }

  /// Decodes digits from the given one on.
  func decode(
    _ digits: [UInt8], _ places: [Range<Int>], from first: Int, into sink: inout some ByteSink
  ) {
    guard self != .list else {
      for (digit, place) in zip(digits, places) {
        sink.append(digit, place.lowerBound, place.upperBound)
      }
      return
    }
    var value: UInt32 = 0
    var count = 0
    var start = first
    for index in first..<max(first, digits.count) {
      if count == 0 { start = index }
      value = value << UInt32(bits) | UInt32(digits[index])
      count += bits
      guard count >= 8 else { continue }
      count -= 8
      sink.append(
        UInt8(truncatingIfNeeded: value >> UInt32(count)), places[start].lowerBound,
        places[index].upperBound)
      start = index
    }
  }

  // MARK: Lists of numbers

  /// The longest text between two numbers of a list.
  private static let longestSeparator = 16

  private static func forEachList(
    in text: UnsafeBufferPointer<UInt8>, _ body: ([UInt8], [Range<Int>]) -> Void
  ) {
    var bytes: [UInt8] = []
    var places: [Range<Int>] = []
    var index = 0
    func end() {
      if bytes.count >= ByteRun.list.minimumCount { body(bytes, places) }
      bytes.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
    }
    while index < text.count {
      guard text[index].isAlphanumeric || text[index] >= 0x80 else {
        index += 1
        continue
      }
      if let last = places.last, index - last.upperBound > longestSeparator { end() }
      if let (byte, place) = listed(text, at: index) {
        bytes.append(byte)
        places.append(place)
        index = place.upperBound
      } else {
        end()
        while index < text.count, text[index].isAlphanumeric || text[index] >= 0x80 { index += 1 }
      }
    }
    end()
  }

  /// Returns the number of a list that begins at an index, with its sign and its place. The index
  /// must be at the beginning of a run of letters and digits.
  @inline(__always)
  static func listed(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (byte: UInt8, place: Range<Int>)? {
    var value = 0
    var end = index
    let isHex =
      text[index] == UInt8(ascii: "0") && index + 2 < text.count
      && text[index + 1] | 0x20 == UInt8(ascii: "x")
    if isHex { end += 2 }
    let first = end
    while end < text.count, end - first < 4, let digit = text[end].hexDigit, isHex || digit < 10 {
      value = value * (isHex ? 16 : 10) + Int(digit)
      end += 1
    }
    guard end > first, value <= 255,
      end == text.count || !text[end].isAlphanumeric && text[end] < 0x80
    else { return nil }
    let isNegative =
      index > 0 && text[index - 1] == UInt8(ascii: "-") && value <= 128
      && (index == 1 || !text[index - 2].isAlphanumeric)
    // The hyphen of a list such as `- 65` or `65 -66` is read as a sign only if nothing is between.
    return (
      UInt8(truncatingIfNeeded: isNegative ? -value : value),
      (isNegative ? index - 1 : index)..<end
    )
  }
}
