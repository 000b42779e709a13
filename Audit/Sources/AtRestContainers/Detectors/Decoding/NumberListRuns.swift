/// Finds lists of numbers that are bytes, as in `[118, 97, 117]`, `0x76, 0x61` or `118 97 117`.
struct NumberListRuns {
  /// The minimum number of bytes. Shorter lists are numbers by chance.
  private static let shortest = 4
  /// The maximum number of bytes between two numbers.
  private static let longestGap = 24

  private let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  func search(_ runs: inout [EncodedRun]) {
    Self.classes.withUnsafeBufferPointer { classes in
      var place = 0
      var previous = Class.separator
      while place < text.count {
        let current = classes[Int(text[place])]
        guard current == .digit, previous == .separator else {
          previous = current
          place &+= 1
          continue
        }
        let (end, count) = list(from: place)
        if count >= Self.shortest {
          runs.append(
            EncodedRun(range: place..<end, encoding: "integers", bytes: bytes(place, count)))
        }
        place = max(end, place &+ 1)
        previous = .digit
      }
    }
  }

  /// The meaning of a byte before a number. A number does not begin within a word or a fraction.
  private enum Class: UInt8 { case separator, word, digit }

  private static let classes: [Class] = (0...255).map { (byte: UInt8) in
    ASCII.isDigit(byte) ? .digit : ASCII.isLetter(byte) || byte == 0x2E ? .word : .separator
  }

  /// Counts the numbers from a position on, until one that is no byte.
  private func list(from start: Int) -> (end: Int, count: Int) {
    var count = 0
    var place = start
    var end = start
    while let number = number(at: place) {
      count &+= 1
      end = number.end
      guard let next = gap(from: end) else { break }
      place = next
    }
    return (end, count)
  }

  /// The numbers of a list, whose length is known.
  private func bytes(_ start: Int, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var place = start
    while bytes.count < count, let number = number(at: place) {
      bytes.append(number.value)
      guard let next = gap(from: number.end) else { break }
      place = next
    }
    return bytes
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
