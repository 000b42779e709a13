/// Finds the places in a text where one of many words of four bytes stands, in one pass.
///
/// A bitmap of 32 KiB at most, which stays in the nearest cache, turns most places away; the few others
/// are looked up in a table.
struct AnchorIndex {
  /// A writing of which four bytes from `offset` on are an anchor.
  struct Entry {
    let variant: Int
    let offset: Int
  }

  private let mask: UInt32
  /// The bits of a word's hash that are not used: what is left counts the bits of the map.
  private let shift: UInt32
  private var bitmap: [UInt8]
  private var slots: [Slot]
  private var entries: [Entry] = []

  private struct Slot {
    var word: UInt32 = 0
    var first: Int32 = 0
    var count: Int32 = 0
  }

  /// - Parameter foldsCase: whether words that differ by the case of letters count as one.
  init(_ anchors: [(word: UInt32, entry: Entry)], foldsCase: Bool) {
    mask = foldsCase ? 0xDFDF_DFDF : .max
    let mask = mask
    let lists = Dictionary(grouping: anchors) { $0.word & mask }
    var size = 64
    while size < lists.count * 4 { size *= 2 }
    slots = [Slot](repeating: Slot(), count: size)
    let bits = min(18, 6 + UInt32(size.trailingZeroBitCount))
    shift = 32 - bits
    bitmap = [UInt8](repeating: 0, count: 1 << Int(bits - 3))
    for (word, list) in lists {
      let hash = Self.hash(word) >> shift
      bitmap[Int(hash >> 3)] |= 1 << UInt8(hash & 7)
      var index = Int(hash) & (size - 1)
      while slots[index].count > 0 { index = (index + 1) & (size - 1) }
      slots[index] = Slot(word: word, first: Int32(entries.count), count: Int32(list.count))
      entries += list.map(\.entry)
    }
  }

  @inline(__always)
  private static func hash(_ word: UInt32) -> UInt32 { word &* 0x9E37_79B1 }

  /// Calls `found` with each place, and each writing that may stand there.
  ///
  /// - Parameter differences: whether to compare with the exclusive or of each byte and the next, which
  ///   stays the same under a key of one byte.
  @inline(__always)
  func scan(
    _ text: UnsafeBufferPointer<UInt8>, differences: Bool, _ found: (Int, Entry) -> Void
  ) {
    guard let base = text.baseAddress.map(UnsafeRawPointer.init), !entries.isEmpty else { return }
    var place = 0
    while let group = nextGroup(base, from: place, to: text.count, differences: differences) {
      place = group.place
      for step in 0..<4 {
        let word = UInt32(truncatingIfNeeded: group.bytes >> UInt64(8 &* step))
        look(up: word, at: place &+ step, found)
      }
      place &+= 4
    }
    // The first place for which there are no eight bytes.
    place = max(0, (text.count - 4) & ~3)
    let length = differences ? 5 : 4
    while place &+ length <= text.count {
      var bytes: UInt64 = 0
      for index in (0..<length).reversed() { bytes = bytes << 8 | UInt64(text[place + index]) }
      let group = differences ? bytes ^ bytes >> 8 : bytes
      let word = UInt32(truncatingIfNeeded: group) & mask
      look(up: word, at: place, found)
      place &+= 1
    }
  }

  /// The next four places, from a multiple of four on, of which the map does not turn all away.
  @inline(never)
  private func nextGroup(
    _ base: UnsafeRawPointer, from start: Int, to end: Int, differences: Bool
  ) -> (place: Int, bytes: UInt64)? {
    bitmap.withUnsafeBufferPointer { bitmap in
      guard let bits = bitmap.baseAddress else { return nil }
      let mask = UInt64(mask) << 32 | UInt64(mask)
      let shift = shift
      let shifted: UInt64 = differences ? 8 : 64
      @inline(__always)
      func bit(_ word: UInt64) -> UInt8 {
        let hash = Self.hash(UInt32(truncatingIfNeeded: word)) &>> shift
        return bits[Int(hash &>> 3)] &>> UInt8(truncatingIfNeeded: hash & 7)
      }
      var place = start
      // Eight bytes hold four words, also of differences.
      while place &+ 8 <= end {
        var bytes = UInt64(
          littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        bytes = (bytes ^ (bytes >> shifted)) & mask
        if (bit(bytes) | bit(bytes &>> 8) | bit(bytes &>> 16) | bit(bytes &>> 24)) & 1 != 0 {
          return (place, bytes)
        }
        place &+= 4
      }
      return nil
    }
  }

  private func look(up word: UInt32, at place: Int, _ found: (Int, Entry) -> Void) {
    let hash = Self.hash(word) >> shift
    guard bitmap[Int(hash >> 3)] >> UInt8(hash & 7) & 1 != 0 else { return }
    var index = Int(hash) & (slots.count - 1)
    while slots[index].count > 0 {
      if slots[index].word == word {
        let first = Int(slots[index].first)
        for entry in entries[first..<first + Int(slots[index].count)] { found(place, entry) }
        return
      }
      index = (index + 1) & (slots.count - 1)
    }
  }
}

extension AnchorIndex {
  /// The four bytes from here on as a word.
  static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Where four bytes stand that are the least likely in other files, from `first` on.
  static func rarest(in bytes: [UInt8], from first: Int = 0, to last: Int) -> Int {
    func rarity(_ offset: Int) -> Int {
      let word = bytes[offset..<offset + 4]
      return word.reduce(4 * Set(word).count) { $0 + Self.rarity($1) }
    }
    return (first...last).max { rarity($0) < rarity($1) } ?? first
  }

  private static func rarity(_ byte: UInt8) -> Int {
    switch byte {
    case 0, 0xFF, 0x20: 0
    // In JSON it may stand behind a backslash.
    case 0x2F: -16
    case 0x61...0x7A: 2
    case 0x30...0x39: 3
    case 0x41...0x5A: 4
    default: 5
    }
  }
}
