import Foundation

/// Finds parts of text that contain escaped characters, and decodes them.
struct EscapedRuns {
  /// The maximum number of bytes before the first escape of a part, and after its last escape.
  private static let reach = 256

  private let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The end of an escape, and the bytes that it stands for: none, one, or those of a scalar.
  private struct Escape {
    let end: Int
    private(set) var count = 0
    private var bytes = SIMD4<UInt8>()

    init(_ end: Int) { self.end = end }

    init(_ end: Int, byte: UInt8) {
      self.end = end
      append(byte)
    }

    init(_ end: Int, scalar: UInt32) {
      self.end = end
      for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? .init() { append(byte) }
    }

    private mutating func append(_ byte: UInt8) {
      bytes[count] = byte
      count += 1
    }

    func add(to all: inout [UInt8]) {
      for index in 0..<count { all.append(bytes[index]) }
    }
  }

  func search(_ runs: inout [EncodedRun]) {
    search(0x25, "percent", percent, &runs)
    search(0x5C, "escapes", escape, &runs)
    search(0x26, "entities", entity, &runs)
    // An equals sign before two digits may also be an assignment, so at least two are required.
    search(0x3D, "quoted-printable", least: 2, quotedPrintable, &runs)
  }

  private func search(
    _ sign: UInt8, _ encoding: String, least: Int = 1, _ read: (Int) -> Escape?,
    _ runs: inout [EncodedRun]
  ) {
    var place = 0
    var last = 0
    while let next = find(sign, from: place) {
      place = next
      guard let first = read(place) else {
        place &+= 1
        continue
      }
      var start = place
      while start > last, place - start < Self.reach, isText(text[start - 1]) { start &-= 1 }
      // Most escapes are alone and none, so the part is decoded only if there are enough of them.
      var end = first.end
      var lastEscape = end
      var escapes = Self.weight(first)
      while end < text.count, isText(text[end]), end - lastEscape < Self.reach {
        if text[end] == sign, let next = read(end) {
          end = next.end
          lastEscape = end
          escapes += Self.weight(next)
        } else {
          end &+= 1
        }
      }
      if escapes >= least {
        runs.append(
          EncodedRun(
            range: start..<end, encoding: encoding, bytes: decoded(start..<end, place, sign, read)))
      }
      place = end
      last = end
    }
  }

  /// Decodes a part, whose first escape is at a place.
  private func decoded(
    _ range: Range<Int>, _ first: Int, _ sign: UInt8, _ read: (Int) -> Escape?
  ) -> [UInt8] {
    var bytes = Array(text[range.lowerBound..<first])
    var place = first
    while place < range.upperBound {
      if text[place] == sign, let escape = read(place) {
        escape.add(to: &bytes)
        place = escape.end
      } else {
        bytes.append(text[place])
        place &+= 1
      }
    }
    return bytes
  }

  /// How much an escape counts. A line break that is taken out is no coincidence.
  private static func weight(_ escape: Escape) -> Int { escape.count == 0 ? 2 : 1 }

  /// The next position of a byte, or nil if it does not occur again.
  private func find(_ sign: UInt8, from start: Int) -> Int? {
    guard let base = text.baseAddress.map(UnsafeRawPointer.init), start < text.count,
      let found = memchr(base + start, Int32(sign), text.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  private func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 9 || byte == 0x0A || byte == 0x0D
  }

  private func byte(_ place: Int) -> UInt8 { place < text.count ? text[place] : 0 }

  /// Reads a hexadecimal number with `digits` digits, or returns nil if there is none.
  private func number(at place: Int, digits: Int) -> UInt32? {
    var number: UInt32 = 0
    for index in 0..<digits {
      guard let digit = ASCII.hex(byte(place + index)) else { return nil }
      number = number << 4 | UInt32(digit)
    }
    return number
  }

  private func percent(_ place: Int) -> Escape? {
    number(at: place + 1, digits: 2).map { Escape(place + 3, byte: UInt8($0)) }
  }

  private func quotedPrintable(_ place: Int) -> Escape? {
    if byte(place + 1) == 0x0A { return Escape(place + 2) }
    if byte(place + 1) == 0x0D, byte(place + 2) == 0x0A { return Escape(place + 3) }
    return number(at: place + 1, digits: 2).map { Escape(place + 3, byte: UInt8($0)) }
  }

  private func escape(_ place: Int) -> Escape? {
    switch byte(place + 1) {
    case 0x6E: return Escape(place + 2, byte: 0x0A)
    case 0x72: return Escape(place + 2, byte: 0x0D)
    case 0x74: return Escape(place + 2, byte: 0x09)
    case 0x22, 0x27, 0x2F, 0x5C: return Escape(place + 2, byte: byte(place + 1))
    case 0x78: return number(at: place + 2, digits: 2).map { Escape(place + 4, byte: UInt8($0)) }
    case 0x75 where byte(place + 2) == 0x7B: return braced(place + 3)
    case 0x75, 0x55:
      // `\U0001F600`, with eight digits.
      if byte(place + 1) == 0x55, let value = number(at: place + 2, digits: 8), value < 0x11_0000 {
        return Escape(place + 10, scalar: value)
      }
      guard let unit = number(at: place + 2, digits: 4) else { return nil }
      if unit & 0xFC00 == 0xD800, byte(place + 6) == 0x5C, byte(place + 7) | 0x20 == 0x75,
        let low = number(at: place + 8, digits: 4), low & 0xFC00 == 0xDC00
      {
        return Escape(place + 12, scalar: 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
      }
      return Escape(place + 6, scalar: unit)
    case 0x30...0x33:
      var number: UInt32 = 0
      for index in 1...3 {
        guard byte(place + index) &- 0x30 < 8 else { return nil }
        number = number << 3 | UInt32(byte(place + index) - 0x30)
      }
      return Escape(place + 4, byte: UInt8(truncatingIfNeeded: number))
    default: return nil
    }
  }

  /// Reads the rest of `\u{1F600}`, as in Swift and JavaScript.
  private func braced(_ start: Int) -> Escape? {
    var value: UInt32 = 0
    var end = start
    while end - start < 8, let digit = ASCII.hex(byte(end)) {
      value = value << 4 | UInt32(digit)
      end += 1
    }
    return end > start && byte(end) == 0x7D ? Escape(end + 1, scalar: value) : nil
  }

  private func entity(_ place: Int) -> Escape? {
    var end = place + 1
    while end < text.count, end - place < 12, ASCII.isAlphanumeric(text[end]) || text[end] == 0x23 {
      end &+= 1
    }
    guard end > place + 1, byte(end) == 0x3B else { return nil }
    let name = String(decoding: text[place + 1..<end], as: UTF8.self)
    if let scalar = Entities.scalars[name] { return Escape(end + 1, scalar: scalar.value) }
    guard name.hasPrefix("#") else { return nil }
    let isHex = name.dropFirst().first.map { $0 == "x" || $0 == "X" } == true
    return UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
      .map { Escape(end + 1, scalar: $0) }
  }
}
