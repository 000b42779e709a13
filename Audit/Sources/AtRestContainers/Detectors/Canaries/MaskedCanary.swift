/// A canary whose bytes are combined with one unknown byte by exclusive or. It is recognised by the
/// exclusive or of each byte and the next, which does not depend on the key.
struct MaskedCanary {
  let canary: Int
  let encodings: [String]
  let bytes: [UInt8]
  let differences: [UInt8]
  /// The offsets in ``differences`` of the words that are searched for. They are four consecutive
  /// offsets, so that one of them is at a multiple of four wherever the canary is.
  let anchors: Range<Int>

  /// The masked variants of a canary. Empty if the canary is so short or regular that counters and
  /// tables would look like it.
  static func all(of canary: Canary, index: Int) -> [MaskedCanary] {
    let utf8 = Array(canary.value.utf8)
    let steps = zip(utf8, utf8.dropFirst()).map { $0 ^ $1 }
    let regular = zip(utf8, utf8.dropFirst()).count { $1 &- $0 &+ 1 <= 2 }
    guard utf8.count >= 8, Set(steps).count >= 5, regular * 2 < utf8.count else { return [] }
    let wide = utf8.allSatisfy { $0 < 0x80 } ? [CanaryVariant.Form.wide(utf8)] : []
    return [MaskedCanary(index, [], utf8)] + wide.map { MaskedCanary(index, ["utf-16"], $0) }
  }

  private init(_ canary: Int, _ encodings: [String], _ bytes: [UInt8]) {
    self.canary = canary
    self.encodings = encodings
    self.bytes = bytes
    differences = zip(bytes, bytes.dropFirst()).map { $0 ^ $1 }
    // The canary has at least seven differences.
    let first = AnchorIndex.rarest(in: differences, to: differences.count - 7, count: 7)
    anchors = first..<first + 4
  }

  /// The range and the key of the canary at this place, or nil if the canary is not there, is not
  /// masked, or if the key only changes the case of letters.
  func match(
    in text: UnsafeBufferPointer<UInt8>, at place: Int, offset: Int
  ) -> (Range<Int>, UInt8)? {
    let start = place - offset
    guard start >= 0, text.count - start >= bytes.count else { return nil }
    let key = text[start] ^ bytes[0]
    guard key != 0 else { return nil }
    for index in bytes.indices where text[start + index] ^ bytes[index] != key { return nil }
    if key == 0x20, bytes.allSatisfy({ ASCII.isLetter($0) || $0 == 0 }) { return nil }
    return (start..<start + bytes.count, key)
  }
}
