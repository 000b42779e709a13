/// The names in a file. Each name is stored once and has a number.
struct ObjectiveCNames {
  private(set) var texts: [String] = []
  private var bytes: [UInt8] = []
  private var ends: [Int] = [0]
  private var hashes: [UInt64] = []
  /// A hash table of the numbers, with -1 in empty slots. The number of slots is a power of two,
  /// and at most half of them are used.
  private var slots = [Int32](repeating: -1, count: 1024)

  /// The seed differs in each process, so that no file can be prepared in which all names collide.
  private static let seed = UInt64.random(in: .min ... .max)

  /// The words of the language, with which the names of each file begin.
  static let words: ObjectiveCNames = {
    var names = ObjectiveCNames()
    for spelling in ObjectiveCWord.spellings {
      _ = Array(spelling.utf8).withUnsafeBufferPointer { names.number(of: $0) }
    }
    return names
  }()

  mutating func number(of name: UnsafeBufferPointer<UInt8>) -> Int32 {
    var hash = Self.seed
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
    hash ^= hash >> 32
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if hashes[number] == hash, bytes[ends[number]..<ends[number + 1]].elementsEqual(name) {
        return Int32(number)
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = Int32(texts.count)
    texts.append(String(decoding: name, as: UTF8.self))
    bytes.append(contentsOf: name)
    ends.append(bytes.count)
    hashes.append(hash)
    slots[slot] = number
    if texts.count * 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }
}
