/// Finds, in one pass over some bytes, all places at which one of many four-byte words occurs.
///
/// A bitmap, in which about one bit in a hundred is set, rules out most places. The remaining places
/// are looked up in a table.
struct AnchorIndex {
  /// The index of a variant, and the offset of a four-byte anchor in the variant.
  struct Entry {
    let variant: Int
    let offset: Int
    /// The byte that follows the anchor, without regard to case, or nil if it can be any.
    var next: UInt8?
    /// True if a separator may follow the anchor instead.
    var allowsGap = false
    /// True if this is the first of the entries of a word.
    fileprivate(set) var isFirst = false

    /// Rules out most places by one byte, before the variant itself is looked at.
    @inline(__always)
    func mayMatch(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
      guard let next, place &+ 4 < text.count else { return true }
      let byte = text[place &+ 4]
      return (byte ^ next) & 0xDF == 0 || allowsGap && !ASCII.isAlphanumeric(byte)
    }
  }

  private let mask: UInt32
  private var bitmap: [UInt64]
  /// The number of bits of a word's hash that are left out, so that it is an index into the bitmap.
  private let shift: UInt32
  private var slots: [Slot]
  /// The entries of all words. Those of one word follow each other.
  private var entries: [Entry] = []

  /// A word, and the index after that of its last entry, or 0 if the slot is empty.
  private struct Slot {
    var word: UInt32 = 0
    var end: UInt32 = 0
  }

  /// Builds the index.
  ///
  /// - Parameter foldsCase: True if words are equal regardless of the case of letters.
  init(_ anchors: [(word: UInt32, entry: Entry)], foldsCase: Bool) {
    mask = foldsCase ? 0xDFDF_DFDF : .max
    let mask = mask
    let lists = Dictionary(grouping: anchors) { $0.word & mask }
    var size = 64
    while size < lists.count * 2 { size *= 2 }
    slots = [Slot](repeating: Slot(), count: size)
    // 16 KiB fit into the first-level cache, 512 KiB into the second.
    var bits: UInt32 = 17
    while bits < 22, 1 << bits < lists.count * 64 { bits += 1 }
    shift = 32 - bits
    bitmap = [UInt64](repeating: 0, count: 1 << (bits - 6))
    for (word, list) in lists {
      let hash = self.hash(word)
      bitmap[Int(hash >> 6)] |= 1 << UInt64(hash & 63)
      var index = Int(hash) & (size - 1)
      while slots[index].end > 0 { index = (index + 1) & (size - 1) }
      for (number, (_, entry)) in list.enumerated() {
        entries.append(entry)
        entries[entries.count - 1].isFirst = number == 0
      }
      slots[index] = Slot(word: word, end: UInt32(entries.count))
    }
  }

  /// The index of a word's bit in the bitmap.
  @inline(__always)
  private func hash(_ word: UInt32) -> UInt32 { (word &* 0x9E37_79B1) &>> shift }

  /// Calls `found` with each place and each variant that may occur there.
  ///
  /// - Parameter differences: True to compare the exclusive or of each byte and the next, which
  ///   does not change under a one-byte key. In this mode, only every fourth place is tested,
  ///   because the index has four words of each variant, at consecutive offsets.
  @inline(__always)
  func scan(
    _ text: UnsafeBufferPointer<UInt8>, differences: Bool, _ found: (Int, Entry) -> Void
  ) {
    guard let base = text.baseAddress.map(UnsafeRawPointer.init), !entries.isEmpty else { return }
    // Pointers, because threads that count references to one array wait for each other.
    slots.withUnsafeBufferPointer { slots in
      entries.withUnsafeBufferPointer { entries in
        bitmap.withUnsafeBufferPointer { bitmap in
          scan(base, text.count, differences: differences) { word, place in
            let hash = hash(word)
            guard bitmap[Int(hash &>> 6)] &>> UInt64(hash & 63) & 1 != 0 else { return }
            look(up: word, Int(hash), at: place, text, slots, entries, found)
          }
        }
      }
    }
  }

  @inline(__always)
  private func scan(
    _ base: UnsafeRawPointer, _ count: Int, differences: Bool, _ look: (UInt32, Int) -> Void
  ) {
    var place = 0
    while let group = differences
      ? nextDifferences(base, from: place, to: count)
      : nextWords(base, from: place, to: count)
    {
      place = group.place
      for step in 0..<(differences ? 1 : 4) {
        let word = UInt32(truncatingIfNeeded: group.bytes >> UInt64(8 &* step))
        look(word, place &+ step)
      }
      place &+= 4
    }
    // The first multiple of four from which fewer than eight bytes are left.
    place = max(0, (count - 4) & ~3)
    let length = differences ? 5 : 4
    while place &+ length <= count {
      var word = base.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian
      if differences {
        word ^= base.loadUnaligned(fromByteOffset: place &+ 1, as: UInt32.self).littleEndian
      }
      look(word & mask, place)
      place &+= differences ? 4 : 1
    }
  }

  // These are two functions so that each loop is compiled without a branch on `differences`.
  @inline(never)
  private func nextWords(
    _ base: UnsafeRawPointer, from start: Int, to end: Int
  ) -> (place: Int, bytes: UInt64)? {
    nextGroup(base, from: start, to: end, differences: false)
  }

  @inline(never)
  private func nextDifferences(
    _ base: UnsafeRawPointer, from start: Int, to end: Int
  ) -> (place: Int, bytes: UInt64)? {
    nextGroup(base, from: start, to: end, differences: true)
  }

  /// The next four places, starting at a multiple of four, that the bitmap does not rule out, or
  /// nil if there are none.
  @inline(__always)
  private func nextGroup(
    _ base: UnsafeRawPointer, from start: Int, to end: Int, differences: Bool
  ) -> (place: Int, bytes: UInt64)? {
    bitmap.withUnsafeBufferPointer { bitmap in
      guard let bits = bitmap.baseAddress else { return nil }
      let mask = UInt64(mask) << 32 | UInt64(mask)
      @inline(__always)
      func bit(_ word: UInt64) -> UInt64 {
        let hash = self.hash(UInt32(truncatingIfNeeded: word))
        return bits[Int(hash &>> 6)] &>> UInt64(hash & 63)
      }
      var place = start
      // Eight bytes contain four words, and also four words of differences.
      while place &+ 8 <= end {
        var bytes = UInt64(
          littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        if differences { bytes ^= bytes &>> 8 }
        bytes &= mask
        var hits = bit(bytes)
        if !differences { hits |= bit(bytes &>> 8) | bit(bytes &>> 16) | bit(bytes &>> 24) }
        if hits & 1 != 0 { return (place, bytes) }
        place &+= 4
      }
      return nil
    }
  }

  @inline(__always)
  private func look(
    up word: UInt32, _ hash: Int, at place: Int, _ text: UnsafeBufferPointer<UInt8>,
    _ slots: UnsafeBufferPointer<Slot>, _ entries: UnsafeBufferPointer<Entry>,
    _ found: (Int, Entry) -> Void
  ) {
    var index = hash & (slots.count &- 1)
    while slots[index].end > 0 {
      if slots[index].word == word {
        var number = Int(slots[index].end)
        repeat {
          number &-= 1
          if entries[number].mayMatch(text, at: place) { found(place, entries[number]) }
        } while !entries[number].isFirst
        return
      }
      index = (index &+ 1) & (slots.count &- 1)
    }
  }
}

extension AnchorIndex {
  /// The four bytes at an offset as a little-endian word.
  static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The offset, between `first` and `last`, of the `count` bytes that are least likely to occur in
  /// other files.
  static func rarest(
    in bytes: [UInt8], from first: Int = 0, to last: Int, count: Int = 4
  ) -> Int {
    func rarity(_ offset: Int) -> Int {
      let word = bytes[offset..<offset + count]
      return word.reduce(4 * Set(word).count) { $0 + Self.rarity($1) }
    }
    return (first...last).max { rarity($0) < rarity($1) } ?? first
  }

  private static func rarity(_ byte: UInt8) -> Int {
    switch byte {
    case 0, 0xFF, 0x20: 0
    // In JSON, a backslash may precede a slash.
    case 0x2F: -16
    case 0x61...0x7A: 2
    case 0x30...0x39: 3
    case 0x41...0x5A: 4
    default: 5
    }
  }
}
