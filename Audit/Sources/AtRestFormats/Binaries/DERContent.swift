/// Finds the content of a signed message: the first octet string that begins like a property list.
///
/// Reads DER, and the parts of BER that CMS writers use: indefinite lengths, and strings in pieces.
struct DERContent {
  private static let depthLimit = 24
  private static let elementLimit = 100_000

  private struct Element {
    let tag: UInt8
    let content: Range<Int>
    let end: Int
  }

  private let bytes: [UInt8]
  private var elements = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func content() -> [UInt8]? {
    guard let first = element(at: 0, before: bytes.count), first.tag == 0x30 else { return nil }
    return content(in: first.content, depth: 0)
  }

  private mutating func content(in range: Range<Int>, depth: Int) -> [UInt8]? {
    guard depth < Self.depthLimit else { return nil }
    var offset = range.lowerBound
    while offset < range.upperBound, let next = element(at: offset, before: range.upperBound) {
      elements += 1
      guard elements < Self.elementLimit else { return nil }
      switch next.tag {
      case 0x04:
        if isPropertyList(bytes[next.content]) { return Array(bytes[next.content]) }
      case 0x24:
        let whole = pieces(in: next.content)
        if isPropertyList(whole[...]) { return whole }
      case let tag where tag & 0x20 != 0:
        if let found = content(in: next.content, depth: depth + 1) { return found }
      default: break
      }
      offset = next.end
    }
    return nil
  }

  private func isPropertyList(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = bytes.drop { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
    return start.starts(with: "<?xml".utf8) || start.starts(with: "<plist".utf8)
      || start.starts(with: "<!DOCTYPE".utf8) || start.starts(with: "bplist".utf8)
  }

  private mutating func pieces(in range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    var offset = range.lowerBound
    while offset < range.upperBound, let next = element(at: offset, before: range.upperBound) {
      elements += 1
      guard next.tag == 0x04, elements < Self.elementLimit else { break }
      result += bytes[next.content]
      offset = next.end
    }
    return result
  }

  /// Reads one element. If its length is indefinite, its content is everything that follows. The
  /// end marker then reads as an element of type 0.
  private func element(at offset: Int, before limit: Int) -> Element? {
    guard offset + 2 <= limit, bytes[offset] & 0x1F != 0x1F else { return nil }
    let tag = bytes[offset]
    let first = Int(bytes[offset + 1])
    if first < 0x80 {
      let start = offset + 2
      guard first <= limit - start else { return nil }
      return Element(tag: tag, content: start..<start + first, end: start + first)
    }
    if first == 0x80 {
      return Element(tag: tag, content: offset + 2..<limit, end: limit)
    }
    let size = first & 0x7F
    guard size <= 4, let length = bytes.bigEndian(at: offset + 2, size: size) else { return nil }
    let start = offset + 2 + size
    guard start <= limit, length <= limit - start else { return nil }
    return Element(tag: tag, content: start..<start + length, end: start + length)
  }
}
