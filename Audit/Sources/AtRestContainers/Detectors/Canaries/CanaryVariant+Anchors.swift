extension CanaryVariant {
  /// A four-byte word, the offset of its first byte, and the number of its bytes that are not
  /// separators.
  typealias Anchor = (word: UInt32, offset: Int, length: Int)

  /// Four-byte words, at least one of which occurs in every text that contains this variant.
  var anchors: [Anchor] {
    let last = bytes.count - 4
    guard last >= 0 else { return [] }
    func anchor(_ offset: Int) -> Anchor { (AnchorIndex.word(bytes, at: offset), offset, 4) }
    switch gaps {
    case .none: return [anchor(AnchorIndex.rarest(in: bytes, to: last))]
    case .groups: return (0...last).map(anchor) + smallGroups()
    case .lineBreaks:
      // A line break can be in only one of the two words, because lines are longer than a few
      // characters.
      guard last >= 4 else { return [anchor(0)] }
      let first = AnchorIndex.rarest(in: bytes, to: (last - 4) / 2)
      return [anchor(first), anchor(AnchorIndex.rarest(in: bytes, from: first + 4, to: last))]
    case .pairs:
      let separated = [0x3A, 0x20, 0x2D].map { (separator: UInt8) in
        (AnchorIndex.word([bytes[0], bytes[1], separator, bytes[2]], at: 0), 0, 3)
      }
      return separated + [anchor(0)] + (last >= 4 ? [anchor(4)] : [])
    }
  }

  /// The entry of an index for an anchor.
  func entry(_ number: Int, _ anchor: Anchor) -> AnchorIndex.Entry {
    let next = anchor.offset + anchor.length
    return AnchorIndex.Entry(
      variant: number, offset: anchor.offset, next: next < bytes.count ? bytes[next] : nil,
      allowsGap: gaps != .none)
  }

  /// Words of the first characters of a group and the separator after it, for numbers in groups of
  /// two or three. A group begins at one of a few consecutive offsets.
  private func smallGroups() -> [Anchor] {
    let first = max(0, bytes.count / 2 - 3)
    return (first..<min(first + 4, bytes.count - 2)).flatMap { offset in
      ([0x20, 0x2D, 0x2E, 0x2F, 0x29, 0x5F, 0xC2, 0xE2] as [UInt8]).flatMap { separator in
        let group = bytes[offset..<offset + 3]
        let pair = [bytes[offset], bytes[offset + 1], separator, bytes[offset + 2]]
        return [group + [separator], pair].map { (AnchorIndex.word(Array($0), at: 0), offset, 3) }
      }
    }
  }
}
