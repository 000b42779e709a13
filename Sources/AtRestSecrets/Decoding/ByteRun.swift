/// The encodings of bytes that take up a run of a text.
@_spi(Tools) public enum ByteRun: CaseIterable, Sendable {
  /// Standard and URL alphabet, also with line breaks.
  case base64
  /// The alphabet of RFC 4648 in either case.
  case base32
  /// Hex digits, also with separators, line breaks and `0x`.
  case hex
  /// Numbers from 0 to 255 or from -128 to 127, decimal or hexadecimal, with other characters
  /// than letters between them.
  case list

  /// The number of bits of a digit.
  public var bits: Int {
    switch self {
    case .base64: 6
    case .base32: 5
    case .hex: 4
    case .list: 8
    }
  }

  /// Returns the minimum number of digits, or of numbers, that can hold a number of bytes.
  public func count(holding bytes: Int) -> Int { (8 * bytes + bits - 1) / bits }

  /// The number of digits at one of which the encoded bytes begin, if other text precedes them.
  public var phases: Int {
    switch self {
    case .base64: 4
    case .base32: 8
    case .hex: 2
    case .list: 1
    }
  }

  // MARK: Digits

  /// The value of each byte as a digit. It is 0xFF for other bytes.
  public var values: [UInt8] {
    switch self {
    case .base64: Self.base64Values
    case .base32: Self.base32Values
    case .hex: Self.hexValues
    case .list: []
    }
  }

  private static let base64Values = values(.base64, "-_", first: 62)
  private static let base32Values = values(.base32, "abcdefghijklmnopqrstuvwxyz", first: 0)
  private static let hexValues = values(.hex, "ABCDEF", first: 10)

  /// Returns the values of the digits of an encoding, of which some, from the first on, have other spellings.
  private static func values(_ run: ByteRun, _ others: String, first: Int) -> [UInt8] {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, byte) in run.alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    for (value, byte) in others.utf8.enumerated() { values[Int(byte)] = UInt8(first + value) }
    return values
  }

  /// Returns true for a digit.
  public func contains(_ byte: UInt8) -> Bool { values[Int(byte)] != 0xFF }

  /// Returns true for bytes that may be between two digits.
  private func isPassed(_ byte: UInt8) -> Bool {
    switch self {
    case .base64: byte == 0x0a || byte == 0x0d
    case .hex: Self.isBetweenHex(byte)
    case .base32, .list: false
    }
  }

  /// Returns true for bytes between hex digits: separators, line breaks, and the `x` of `0x41`.
  @inlinable public static func isBetweenHex(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x3A, 0x2C, 0x2D, 0x78, 0x58, 0x0A, 0x0D: true
    default: false
    }
  }

  /// Calls a closure with the digits of each run that can hold a number of bytes, and with their places.
  public func forEachRun(
    in text: UnsafeBufferPointer<UInt8>, holding bytes: Int,
    _ body: (_ digits: [UInt8], _ places: [Range<Int>]) -> Void
  ) {
    let minimumCount = count(holding: bytes)
    guard self != .list else { return Self.forEachList(in: text, of: minimumCount, body) }
    let values = values
    var digits: [UInt8] = []
    var places: [Range<Int>] = []
    for (index, byte) in text.enumerated() {
      if values[Int(byte)] != 0xFF {
        digits.append(values[Int(byte)])
        places.append(index..<index + 1)
      } else if isPassed(byte) {
        // The zero of `0x` is not a digit.
        if byte | 0x20 == UInt8(ascii: "x"), index > 0, text[index - 1] == UInt8(ascii: "0") {
          digits.removeLast()
          places.removeLast()
        }
      } else if !digits.isEmpty {
        if digits.count >= minimumCount { body(digits, places) }
        digits.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
      }
    }
    if digits.count >= minimumCount { body(digits, places) }
  }

  /// Decodes digits from the given one on.
  public func decode(
    _ digits: [UInt8], _ places: [Range<Int>], from first: Int = 0, keepsPlaces: Bool = true
  ) -> DecodedText {
    var decoded = DecodedText(keepsPlaces: keepsPlaces)
    var value: UInt32 = 0
    var count = 0
    var start = first
    for index in first..<max(first, digits.count) {
      if count == 0 { start = index }
      value = value << UInt32(bits) | UInt32(digits[index])
      count += bits
      guard count >= 8 else { continue }
      count -= 8
      decoded.append(
        UInt8(truncatingIfNeeded: value >> UInt32(count)), places[start].lowerBound,
        places[index].upperBound)
      start = index
    }
    return decoded
  }

  /// Decodes a text of digits and blanks. Returns nil if another byte is in it, or if the last digit is less than a
  /// byte.
  public func bytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count * bits / 8 + 1) { buffer, count in
      var pending: UInt32 = 0
      var waiting = 0
      values.withUnsafeBufferPointer { values in
        for byte in text {
          let value = values[Int(byte)]
          if value == 0xFF {
            if byte.isBlank { continue }
            isValid = false
            return
          }
          pending = pending << UInt32(bits) | UInt32(value)
          waiting += bits
          guard waiting >= 8 else { continue }
          waiting -= 8
          buffer[count] = UInt8(truncatingIfNeeded: pending >> UInt32(waiting))
          count += 1
        }
      }
      if waiting >= bits { isValid = false }
    }
    return isValid ? bytes : nil
  }

  // MARK: Lists of numbers

  /// The longest text between two numbers of a list.
  private static let longestSeparator = 24

  /// Calls a closure with the bytes of each list that is long enough, and with their places.
  ///
  /// - Parameter isStrict: True if only blanks and one comma or semicolon may be between two numbers, so versions
  ///   and times are none.
  public static func forEachList(
    in text: UnsafeBufferPointer<UInt8>, of minimumCount: Int, isStrict: Bool = false,
    _ body: ([UInt8], [Range<Int>]) -> Void
  ) {
    var bytes: [UInt8] = []
    var places: [Range<Int>] = []
    var index = 0
    func end() {
      guard !bytes.isEmpty else { return }
      if bytes.count >= minimumCount { body(bytes, places) }
      bytes.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
    }
    func isWord(_ byte: UInt8) -> Bool { byte.isAlphanumeric || byte >= 0x80 && !isStrict }
    func isSeparator(_ range: Range<Int>) -> Bool {
      guard range.count <= longestSeparator else { return false }
      let marks = text[range].lazy.filter { !$0.isBlank }
      return !isStrict
        || !range.isEmpty && marks.prefix(2).count < 2
          && marks.allSatisfy { $0 == 0x2C || $0 == 0x3B }
    }
    while index < text.count {
      guard isWord(text[index]) else {
        index += 1
        continue
      }
      if let (byte, place) = listed(text, at: index),
        !isStrict || isWhole(text, index..<place.upperBound)
      {
        if let last = places.last, !isSeparator(last.upperBound..<place.lowerBound) { end() }
        bytes.append(byte)
        places.append(place)
        index = place.upperBound
      } else {
        end()
        while index < text.count, isWord(text[index]) { index += 1 }
      }
    }
    end()
  }

  /// Returns true if a number is no part of a fraction, a version or a name.
  private static func isWhole(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
    let next = range.upperBound < text.count ? text[range.upperBound] : 0
    let isFraction =
      next == 0x2E && range.upperBound + 1 < text.count && text[range.upperBound + 1].isDigit
    return next != 0x5F && !isFraction
      && (range.lowerBound == 0 || text[range.lowerBound - 1] != 0x2E)
  }

  /// Returns the number of a list that begins at an index, with its sign and its place. The index
  /// must be at the beginning of a run of letters and digits.
  @inlinable
  public static func listed(
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
