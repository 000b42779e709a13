import Foundation

/// Reads a property list in the format `bplist00`.
///
/// Every offset and count is checked against the file. An object that contains itself is skipped,
/// and so is everything beyond ``PropertyList/valueLimit``, because a small file can refer to one
/// object a billion times, or store a thousand objects in the same bytes.
struct BinaryPropertyListReader {
  private let path: String
  private let bytes: [UInt8]
  private var offsetSize = 0
  private var referenceSize = 0
  private var count = 0
  private var tableStart = 0
  private var budget = PropertyList.valueLimit
  /// The remaining size of strings and data. If none overlap, they take no more than the file's
  /// size.
  private var contentBudget = 0
  private var leaves: [Int: PropertyList.Node] = [:]
  private var ancestors: Set<Int> = []
  private var skipped: [Skip] = []
  private var reasons: Set<String> = []

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  mutating func read() -> PropertyList {
    PropertyList(path: path, format: .binary, root: root(), skipped: skipped)
  }

  private mutating func root() -> PropertyList.Node? {
    guard bytes.count >= 40, bytes.starts(with: Array("bplist0".utf8)) else {
      skip("The binary property list is cut off, or its version is unknown.")
      return nil
    }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = number(at: trailer + 8, size: 8), let top = number(at: trailer + 16, size: 8),
      let table = number(at: trailer + 24, size: 8), table >= 8, table <= trailer,
      count >= 1, count <= (trailer - table) / offsetSize, top < count
    else {
      skip("The trailer of the binary property list is damaged.")
      return nil
    }
    self.count = count
    tableStart = table
    contentBudget = bytes.count
    return object(top, depth: 0)
  }

  private mutating func skip(_ reason: String) {
    if reasons.insert(reason).inserted {
      skipped.append(Skip(path: path, reason: reason))
    }
  }

  /// Reads a big-endian number. Returns nil if it does not fit into an `Int`.
  private func number(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else { return nil }
    var result: UInt64 = 0
    for byte in bytes[offset..<offset + size].suffix(8) { result = result << 8 | UInt64(byte) }
    return Int(exactly: result)
  }

  private mutating func object(_ index: Int, depth: Int) -> PropertyList.Node? {
    budget -= 1
    guard budget >= 0 else {
      skip("Values after the first \(PropertyList.valueLimit) are skipped.")
      return nil
    }
    if let known = leaves[index] { return known }
    guard depth < PropertyList.depthLimit else {
      skip("Values nested deeper than \(PropertyList.depthLimit) levels are skipped.")
      return nil
    }
    guard index < count,
      let offset = number(at: tableStart + index * offsetSize, size: offsetSize),
      offset < tableStart,
      let value = value(at: offset, index: index, depth: depth)
    else {
      skip("The binary property list contains damaged values.")
      return nil
    }
    let node = PropertyList.Node(value)
    switch value {
    case .array, .dictionary: break
    default: leaves[index] = node
    }
    return node
  }

  private mutating func value(at offset: Int, index: Int, depth: Int) -> PropertyList.Value? {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0:
      switch marker {
      case 0x00: return .null
      case 0x08: return .boolean(false)
      case 0x09: return .boolean(true)
      default: return nil
      }
    case 0x1: return integer(at: offset + 1, size: 1 << min(low, 5))
    case 0x2:
      switch low {
      case 2:
        guard let bits = bits(at: offset + 1, size: 4) else { return nil }
        return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
      case 3: return bits(at: offset + 1, size: 8).map { .real(Double(bitPattern: $0)) }
      default: return nil
      }
    case 0x3:
      guard let bits = bits(at: offset + 1, size: 8) else { return nil }
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
    case 0x8: return bits(at: offset + 1, size: low + 1).map { .uid($0) }
    case 0x4:
      return contents(at: offset, low: low, unit: 1).map { .data(Data(bytes[$0])) }
    case 0x5, 0x7:
      return contents(at: offset, low: low, unit: 1).map {
        .string(String(decoding: bytes[$0], as: UTF8.self))
      }
    case 0x6:
      guard let range = contents(at: offset, low: low, unit: 2) else { return nil }
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 0xA, 0xB, 0xC, 0xD:
      return collection(at: offset, index: index, depth: depth)
    default: return nil
    }
  }

  private mutating func collection(at offset: Int, index: Int, depth: Int) -> PropertyList.Value? {
    let isDictionary = bytes[offset] >> 4 == 0xD
    let unit = isDictionary ? 2 * referenceSize : referenceSize
    guard let range = body(at: offset, low: Int(bytes[offset] & 0x0F), unit: unit) else {
      return nil
    }
    guard ancestors.insert(index).inserted else {
      skip("The binary property list contains a value that contains itself.")
      return .null
    }
    defer { ancestors.remove(index) }
    let size = referenceSize
    let length = range.count / unit
    func reference(_ position: Int) -> Int? {
      number(at: range.lowerBound + position * size, size: size)
    }
    if !isDictionary {
      var nodes: [PropertyList.Node] = []
      for position in 0..<length {
        if budget < 0 { break }
        if let node = reference(position).flatMap({ object($0, depth: depth + 1) }) {
          nodes.append(node)
        }
      }
      return .array(nodes)
    }
    var entries: [PropertyList.Entry] = []
    for position in 0..<length {
      if budget < 0 { break }
      guard let key = reference(position).flatMap({ object($0, depth: depth + 1) }),
        let node = reference(length + position).flatMap({ object($0, depth: depth + 1) })
      else { continue }
      guard case .string(let name) = key.value else {
        skip("A key of the binary property list is not a string.")
        continue
      }
      entries.append(PropertyList.Entry(name, node))
    }
    return .dictionary(entries)
  }

  private func bits(at offset: Int, size: Int) -> UInt64? {
    guard size <= bytes.count, offset <= bytes.count - size else { return nil }
    var result: UInt64 = 0
    for byte in bytes[offset..<offset + size].suffix(8) { result = result << 8 | UInt64(byte) }
    return result
  }

  private func integer(at offset: Int, size: Int) -> PropertyList.Value? {
    guard size <= 16, let bits = bits(at: offset, size: size) else { return nil }
    // One, two and four bytes are unsigned. Of sixteen bytes, the lower half counts.
    return .integer(Int64(bitPattern: bits))
  }

  /// The range of a string or data. Its size is subtracted from the budget.
  private mutating func contents(at offset: Int, low: Int, unit: Int) -> Range<Int>? {
    guard let range = body(at: offset, low: low, unit: unit) else { return nil }
    guard range.count <= contentBudget else {
      skip("The binary property list contains values that overlap.")
      return nil
    }
    contentBudget -= range.count
    return range
  }

  /// The range of an object's contents. Their count is in the marker or follows it.
  private func body(at offset: Int, low: Int, unit: Int) -> Range<Int>? {
    var start = offset + 1
    var length = low
    if low == 0x0F {
      guard start < bytes.count, bytes[start] >> 4 == 1 else { return nil }
      let size = 1 << Int(bytes[start] & 0x0F)
      guard size <= 8, let count = number(at: start + 1, size: size) else { return nil }
      start += 1 + size
      length = count
    }
    guard start <= bytes.count, length <= (bytes.count - start) / unit else { return nil }
    return start..<start + length * unit
  }
}
