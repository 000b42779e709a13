/// Finds runs of Base64 characters and of hexadecimal digits.
struct AlphabetRuns {
  /// A run shorter than this is accepted only if it decodes to text.
  private static let certainLength = 16
  /// A run of Base64 shorter than this must decode to bytes that could be text in some encoding, or
  /// to the head of a compressed stream. Long names also consist of these characters.
  private static let longName = 40
  private static let shortestLength = 8
  /// The minimum length of a line of wrapped Base64.
  private static let shortestLine = 32
  private static let longestBreak = 24

  private let text: UnsafeBufferPointer<UInt8>
  private let values = Base64.values

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  func search() -> [EncodedRun] {
    values.withUnsafeBufferPointer { values in
      var runs: [EncodedRun] = []
      var place = 0
      while place < text.count {
        guard values[Int(text[place])] < 64 else {
          place &+= 1
          continue
        }
        if let run = groups(from: place) {
          runs.append(run)
          place = run.range.upperBound
          continue
        }
        let end = end(from: place, values)
        if end - place >= Self.shortestLength { runs += decode(place..<end, values) }
        place = end
      }
      return runs
    }
  }

  /// The end of the run that begins at `start`. A run continues after a line break if the line
  /// before the break is long.
  private func end(from start: Int, _ values: UnsafeBufferPointer<UInt8>) -> Int {
    var end = start
    var line = start
    while end < text.count {
      if values[Int(text[end])] < 64 {
        end &+= 1
        continue
      }
      guard text[end] == 0x0A || text[end] == 0x0D, end - line >= Self.shortestLine else { break }
      var next = end
      while next < text.count, next - end < Self.longestBreak, values[Int(text[next])] == 0x40 {
        next &+= 1
      }
      guard next < text.count, values[Int(text[next])] < 64 else { break }
      line = next
      end = next
    }
    return end
  }

  private func decode(
    _ range: Range<Int>, _ values: UnsafeBufferPointer<UInt8>
  ) -> [EncodedRun] {
    var digits: [UInt8] = []
    var isHex = true
    var hasSign = (standard: false, url: false)
    for place in range where values[Int(text[place])] < 64 {
      let byte = text[place]
      digits.append(values[Int(byte)])
      isHex = isHex && ASCII.hex(byte) != nil
      if byte == 0x2B || byte == 0x2F { hasSign.standard = true }
      if byte == 0x2D || byte == 0x5F { hasSign.url = true }
    }
    if text[range.lowerBound] == 0x30, range.count > 2, text[range.lowerBound + 1] | 0x20 == 0x78 {
      let rest = range.lowerBound + 2..<range.upperBound
      if rest.allSatisfy({ ASCII.hex(text[$0]) != nil }) { return hex(rest) }
    }
    if isHex, digits.count % 2 == 0 { return hex(range) }
    guard digits.count % 4 != 1, !(hasSign.standard && hasSign.url), !isUUID(range) else {
      return []
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var pending: UInt32 = 0
    for (index, digit) in digits.enumerated() {
      pending = pending << 6 | UInt32(digit)
      if index & 3 != 0 {
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(6 - 2 * (index & 3))))
      }
    }
    guard digits.count >= Self.certainLength || isText(bytes),
      digits.count >= Self.longName || isPromising(bytes)
    else { return [] }
    return [
      EncodedRun(range: range, encoding: hasSign.url ? "base64url" : "base64", bytes: bytes)
    ]
  }

  private func hex(_ range: Range<Int>) -> [EncodedRun] {
    let digits = range.compactMap { ASCII.hex(text[$0]) }
    guard digits.count >= Self.shortestLength else { return [] }
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map {
      digits[$0] << 4 | digits[$0 + 1]
    }
    guard digits.count >= Self.certainLength || isText(bytes) else { return [] }
    return [EncodedRun(range: range, encoding: "hex", bytes: bytes)]
  }

  /// Reads hexadecimal digits in equal groups of two or eight, or returns nil if there are no such
  /// groups: `70:61:73:73`, `<70617373 776f7264>`.
  private func groups(from start: Int) -> EncodedRun? {
    func digits(from place: Int) -> Int {
      var end = place
      while end < text.count, end - place <= 8, ASCII.hex(text[end]) != nil { end &+= 1 }
      return end - place
    }
    let size = digits(from: start)
    guard size == 2 || size == 8, start + size < text.count else { return nil }
    let separator = text[start + size]
    guard separator == 0x20 || size == 2 && [0x2C, 0x2D, 0x3A].contains(separator) else {
      return nil
    }
    var end = start
    var bytes: [UInt8] = []
    while true {
      let count = digits(from: end)
      guard count == size || size == 8 && count > 0 && count % 2 == 0 && count < 8 else { break }
      for place in stride(from: end, to: end + count, by: 2) {
        guard let high = ASCII.hex(text[place]), let low = ASCII.hex(text[place + 1]) else { break }
        bytes.append(high << 4 | low)
      }
      end += count
      guard count == size, end < text.count, text[end] == separator else { break }
      end &+= 1
    }
    guard bytes.count >= 4 else { return nil }
    return EncodedRun(range: start..<end, encoding: "hex", bytes: bytes)
  }

  private func isText(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy(ASCII.isPrintable) }

  private func isPromising(_ bytes: [UInt8]) -> Bool {
    let heads: [UInt8] = [0x1F, 0x78, 0x04, 0x28, 0xFD, 0x5D, 0xFF, 0xFE]
    if let first = bytes.first, heads.contains(first) { return true }
    let isWide = bytes.count >= 4 && (bytes[1] == 0 || bytes[0] == 0)
    return isWide || bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || ASCII.isBlank($0) }
  }

  private func isUUID(_ range: Range<Int>) -> Bool {
    range.count == 36 && [8, 13, 18, 23].allSatisfy { text[range.lowerBound + $0] == 0x2D }
  }
}
