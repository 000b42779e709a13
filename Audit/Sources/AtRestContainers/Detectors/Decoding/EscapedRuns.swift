import Foundation

/// Finds parts of text that contain escaped characters, and decodes them.
struct EscapedRuns {
  /// The maximum number of bytes before the first escape of a part, and after its last escape.
  private static let reach = 256

  private let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  private typealias Escape = (end: Int, bytes: [UInt8])

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
      var bytes = Array(text[start..<place]) + first.bytes
      var end = first.end
      var lastEscape = end
      var escapes = Self.weight(first)
      while end < text.count, isText(text[end]), end - lastEscape < Self.reach {
        if text[end] == sign, let next = read(end) {
          bytes += next.bytes
          end = next.end
          lastEscape = end
          escapes += Self.weight(next)
        } else {
          bytes.append(text[end])
          end &+= 1
        }
      }
      if escapes >= least {
        runs.append(EncodedRun(range: start..<end, encoding: encoding, bytes: bytes))
      }
      place = end
      last = end
    }
  }

  /// How much an escape counts. A line break that is taken out is no coincidence.
  private static func weight(_ escape: Escape) -> Int { escape.bytes.isEmpty ? 2 : 1 }

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
    number(at: place + 1, digits: 2).map { (place + 3, [UInt8($0)]) }
  }

  private func quotedPrintable(_ place: Int) -> Escape? {
    if byte(place + 1) == 0x0A { return (place + 2, []) }
    if byte(place + 1) == 0x0D, byte(place + 2) == 0x0A { return (place + 3, []) }
    return number(at: place + 1, digits: 2).map { (place + 3, [UInt8($0)]) }
  }

  private func escape(_ place: Int) -> Escape? {
    switch byte(place + 1) {
    case 0x6E: return (place + 2, [0x0A])
    case 0x72: return (place + 2, [0x0D])
    case 0x74: return (place + 2, [0x09])
    case 0x22, 0x27, 0x2F, 0x5C: return (place + 2, [byte(place + 1)])
    case 0x78: return number(at: place + 2, digits: 2).map { (place + 4, [UInt8($0)]) }
    case 0x75 where byte(place + 2) == 0x7B: return braced(place + 3)
    case 0x75, 0x55:
      // `\U0001F600`, with eight digits.
      if byte(place + 1) == 0x55, let value = number(at: place + 2, digits: 8), value < 0x11_0000 {
        return (place + 10, utf8(value))
      }
      guard let unit = number(at: place + 2, digits: 4) else { return nil }
      if unit & 0xFC00 == 0xD800, byte(place + 6) == 0x5C, byte(place + 7) | 0x20 == 0x75,
        let low = number(at: place + 8, digits: 4), low & 0xFC00 == 0xDC00
      {
        return (place + 12, utf8(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF))
      }
      return (place + 6, utf8(unit))
    case 0x30...0x33:
      var number: UInt32 = 0
      for index in 1...3 {
        guard byte(place + index) &- 0x30 < 8 else { return nil }
        number = number << 3 | UInt32(byte(place + index) - 0x30)
      }
      return (place + 4, [UInt8(truncatingIfNeeded: number)])
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
    return end > start && byte(end) == 0x7D ? (end + 1, utf8(value)) : nil
  }

  private func entity(_ place: Int) -> Escape? {
    var end = place + 1
    while end < text.count, end - place < 12, ASCII.isAlphanumeric(text[end]) || text[end] == 0x23 {
      end &+= 1
    }
    guard end > place + 1, byte(end) == 0x3B else { return nil }
    let name = String(decoding: text[place + 1..<end], as: UTF8.self)
    if let scalar = Entities.scalars[name] { return (end + 1, utf8(scalar.value)) }
    guard name.hasPrefix("#") else { return nil }
    let isHex = name.dropFirst().first.map { $0 == "x" || $0 == "X" } == true
    return UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
      .map { (end + 1, utf8($0)) }
  }

  private func utf8(_ value: UInt32) -> [UInt8] {
    Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
  }
}
