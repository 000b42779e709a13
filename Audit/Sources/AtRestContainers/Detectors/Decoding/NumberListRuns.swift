/// Finds lists of numbers that are bytes, as in `[118, 97, 117]`, `0x76, 0x61` or `118 97 117`.
struct NumberListRuns {
  /// The minimum number of bytes. Shorter lists are numbers by chance.
  private static let shortest = 4
  /// The maximum number of bytes between two numbers.
  private static let longestGap = 24

  private let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  func search() -> [EncodedRun] {
    var runs: [EncodedRun] = []
    var place = 0
    var isStart = true
    while place < text.count {
      let byte = text[place]
      let isDigit = ASCII.isDigit(byte)
      guard isDigit, isStart else {
        isStart = !isDigit && !ASCII.isLetter(byte) && byte != 0x2E
        place &+= 1
        continue
      }
      let (end, bytes) = list(from: place)
      if bytes.count >= Self.shortest {
        runs.append(EncodedRun(range: place..<end, encoding: "integers", bytes: bytes))
      }
      place = max(end, place &+ 1)
      isStart = false
    }
    return runs
  }

  /// Reads numbers from a position on, until one that is no byte.
  private func list(from start: Int) -> (end: Int, bytes: [UInt8]) {
    var bytes: [UInt8] = []
    var place = start
    var end = start
    while let number = number(at: place) {
      bytes.append(number.value)
      end = number.end
      guard let next = gap(from: end) else { break }
      place = next
    }
    return (end, bytes)
  }

  /// Reads a number from -128 to 255 that no letter or further digit follows.
  private func number(at start: Int) -> (value: UInt8, end: Int)? {
    var place = start
    let isNegative = place < text.count && text[place] == 0x2D
    if isNegative { place &+= 1 }
    var value = 0
    let first = place
    if place &+ 2 < text.count, text[place] == 0x30, text[place &+ 1] | 0x20 == 0x78 {
      place &+= 2
      while place < text.count, place &- first < 4, let digit = ASCII.hex(text[place]) {
        value = value << 4 | Int(digit)
        place &+= 1
      }
      guard place &- first > 2 else { return nil }
    } else {
      while place < text.count, place &- first < 3, ASCII.isDigit(text[place]) {
        value = value &* 10 &+ Int(text[place] &- 0x30)
        place &+= 1
      }
      guard place > first else { return nil }
    }
    if place < text.count {
      let isEnd = !ASCII.isAlphanumeric(text[place]) && text[place] != 0x5F
      let isFraction =
        text[place] == 0x2E && place &+ 1 < text.count && ASCII.isDigit(text[place &+ 1])
      guard isEnd, !isFraction else { return nil }
    }
    guard isNegative ? value <= 128 : value <= 255 else { return nil }
    return (UInt8(truncatingIfNeeded: isNegative ? -value : value), place)
  }

  /// The start of the next number, after blanks and at most one comma or semicolon.
  private func gap(from start: Int) -> Int? {
    var place = start
    var hasSign = false
    while place < text.count, place &- start < Self.longestGap {
      if ASCII.isBlank(text[place]) {
        place &+= 1
      } else if !hasSign, text[place] == 0x2C || text[place] == 0x3B {
        hasSign = true
        place &+= 1
      } else {
        return place > start ? place : nil
      }
    }
    return nil
  }
}
