import Foundation

/// Follows the pointers of a Fleece document. They all point backwards, and may form cycles in a
/// damaged document.
struct FleeceReader {
  private typealias Node = PropertyList.Node

  private let bytes: [UInt8]
  private let sharedKeys: [String]
  private let path: String
  private var budget = PropertyList.valueLimit
  /// The remaining size of strings and data. If none overlap, they take no more than the document's
  /// size.
  private var contentBudget: Int
  private var known: [Int: (node: PropertyList.Node, size: Int)] = [:]
  private var ancestors: Set<Int> = []
  private var cuts = 0
  private(set) var skipped: [Skip] = []

  init(bytes: [UInt8], sharedKeys: [String], path: String) {
    self.bytes = bytes
    contentBudget = bytes.count
    self.sharedKeys = sharedKeys
    self.path = path
  }

  /// Reads the root: the last two bytes, or the value that they point to.
  mutating func root() -> PropertyList.Node? {
    let place = bytes.count - 2
    let node = value(at: place, width: 2, depth: 0)
    if case .null = node.value, cuts > 0 { return nil }
    return node
  }

  private mutating func cut(_ reason: String) -> Node {
    cuts += 1
    budget -= 1
    let skip = Skip(path: path, reason: reason)
    if !skipped.contains(skip) { skipped.append(skip) }
    return Node(.null)
  }

  /// Reads the value in a slot of two or four bytes, or the value that the slot points to.
  private mutating func value(at offset: Int, width: Int, depth: Int) -> PropertyList.Node {
    var place = offset
    var width = width
    // A pointer may lead to a wider pointer.
    for _ in 0..<3 {
      guard bytes[place] & 0x80 != 0 else { return object(at: place, depth: depth) }
      guard let word = bytes.bigEndian(at: place, size: width) else { break }
      let distance = 2 * (word & (width == 2 ? 0x7FFF : 0x7FFF_FFFF))
      guard distance > 0, distance <= place else { break }
      place -= distance
      width = 4
    }
    return cut("The document contains a damaged pointer.")
  }

  private mutating func object(at offset: Int, depth: Int) -> PropertyList.Node {
    if let known = known[offset] {
      budget -= known.size
      if budget >= 0 { return known.node }
    } else {
      budget -= 1
    }
    guard budget >= 0 else {
      return cut("Values after the first \(PropertyList.valueLimit) are skipped.")
    }
    guard depth < PropertyList.depthLimit else {
      return cut("Values nested deeper than \(PropertyList.depthLimit) levels are skipped.")
    }
    let before = (budget: budget, cuts: cuts)
    let found: PropertyList.Value?
    if bytes[offset] >> 4 >= 6 {
      guard ancestors.insert(offset).inserted else {
        return cut("The document contains a value that contains itself.")
      }
      defer { ancestors.remove(offset) }
      found = collection(at: offset, depth: depth)
    } else {
      found = leaf(at: offset)
    }
    guard let found else { return cut("The document contains damaged values.") }
    let node = Node(found)
    if cuts == before.cuts { known[offset] = (node, before.budget - budget + 1) }
    return node
  }

  private mutating func leaf(at offset: Int) -> PropertyList.Value? {
    let first = Int(bytes[offset])
    switch first >> 4 {
    case 0:
      guard let word = bytes.bigEndian(at: offset, size: 2) else { return nil }
      return .integer(Int64(word >= 0x800 ? word - 0x1000 : word))
    case 1:
      let size = (first & 7) + 1
      guard offset + 1 + size <= bytes.count else { return nil }
      var bits: UInt64 = 0
      for byte in bytes[offset + 1..<offset + 1 + size].reversed() {
        bits = bits << 8 | UInt64(byte)
      }
      if first & 8 != 0 { return Int64(exactly: bits).map { .integer($0) } ?? .real(Double(bits)) }
      let unused = 64 - 8 * size
      return .integer(Int64(bitPattern: bits << unused) >> unused)
    case 2:
      if first & 8 != 0 {
        return bytes.littleEndian64(at: offset + 2).map { .real(Double(bitPattern: $0)) }
      }
      return bytes.littleEndian(at: offset + 2, size: 4).map {
        .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))))
      }
    case 3:
      switch first >> 2 & 3 {
      case 1: return .boolean(false)
      case 2: return .boolean(true)
      default: return .null
      }
    default:
      var start = offset + 1
      var length = first & 0xF
      if length == 0xF {
        guard let (count, size) = varint(at: start) else { return nil }
        length = count
        start += size
      }
      guard length <= bytes.count - start, length <= contentBudget else { return nil }
      contentBudget -= length
      let content = bytes[start..<start + length]
      return first >> 4 == 4
        ? .string(String(decoding: content, as: UTF8.self)) : .data(Data(content))
    }
  }

  private mutating func collection(at offset: Int, depth: Int) -> PropertyList.Value? {
    guard let word = bytes.bigEndian(at: offset, size: 2) else { return nil }
    let isDictionary = word >> 12 == 7
    let width = word & 0x800 == 0 ? 2 : 4
    var count = word & 0x7FF
    var start = offset + 2
    if count == 0x7FF {
      guard let (more, size) = varint(at: start) else { return nil }
      count += more
      start += size + (size & 1)
    }
    let item = isDictionary ? 2 * width : width
    guard start <= bytes.count, count <= (bytes.count - start) / item else { return nil }
    if !isDictionary {
      var nodes: [PropertyList.Node] = []
      for index in 0..<count where budget >= 0 {
        nodes.append(value(at: start + index * width, width: width, depth: depth + 1))
      }
      return .array(nodes)
    }
    var entries: [PropertyList.Entry] = []
    for index in 0..<count where budget >= 0 {
      let place = start + index * item
      let key = value(at: place, width: width, depth: depth + 1)
      let node = value(at: place + width, width: width, depth: depth + 1)
      switch key.value {
      case .string(let name): entries.append(PropertyList.Entry(name, node))
      case .integer(let number):
        let index = Int(number)
        let name = sharedKeys.indices.contains(index) ? sharedKeys[index] : "#\(number)"
        entries.append(PropertyList.Entry(name, node))
      default: _ = cut("A key of the document is not a string.")
      }
    }
    return .dictionary(entries)
  }

  /// Reads a number of at most 32 bits, seven bits per byte, the least significant first.
  private func varint(at offset: Int) -> (value: Int, size: Int)? {
    var result = 0
    for index in 0..<5 {
      guard offset + index < bytes.count else { return nil }
      let byte = Int(bytes[offset + index])
      result |= (byte & 0x7F) << (7 * index)
      if byte < 0x80 { return (result, index + 1) }
    }
    return nil
  }
}
