/// The contents of a program's load commands, before the tables that they refer to are read.
struct MachOCommands {
  /// The maximum number of sections and of libraries. A program with more is treated as damaged.
  private static let limit = 10_000

  let isWide: Bool
  let part: Range<Int>
  private(set) var libraries: [String] = []
  private(set) var sections: [MachO.Section] = []
  private(set) var encrypted = 0..<0
  private(set) var signature: Range<Int>?
  private(set) var symbols: (offset: Int, count: Int, names: Int, namesSize: Int)?

  init(isWide: Bool, part: Range<Int>) {
    self.isWide = isWide
    self.part = part
  }

  /// Reads the load commands. Returns false if some are damaged.
  mutating func read(_ bytes: [UInt8], count: Int) -> Bool {
    var offset = 0
    var isWhole = true
    for _ in 0..<count {
      guard let type = bytes.littleEndian(at: offset, size: 4),
        let size = bytes.littleEndian(at: offset + 4, size: 4), size >= 8,
        size <= bytes.count - offset
      else { return false }
      isWhole = command(type, Array(bytes[offset..<offset + size])) && isWhole
      offset += size
    }
    return isWhole
  }

  private mutating func command(_ type: Int, _ bytes: [UInt8]) -> Bool {
    func number(_ offset: Int) -> Int? { bytes.littleEndian(at: offset, size: 4) }
    switch type {
    case 0x1, 0x19: return segment(bytes, isWide: type == 0x19)
    case 0x2:
      guard let offset = number(8), let count = number(12), let names = number(16),
        let size = number(20)
      else { return false }
      symbols = (offset, count, names, size)
    // Plain, weak, re-exported, lazy and upward libraries.
    case 0xC, 0x8000_0018, 0x8000_001F, 0x20, 0x8000_0023:
      guard let start = number(8), start < bytes.count, libraries.count < Self.limit else {
        return false
      }
      let name = bytes[start...].prefix { $0 != 0 }
      libraries.append(String(decoding: name, as: UTF8.self))
    case 0x21, 0x2C:
      guard let offset = number(8), let size = number(12), let method = number(16) else {
        return false
      }
      if method != 0 { return place(offset, size).map { encrypted = $0 } != nil }
    case 0x1D:
      guard let offset = number(8), let size = number(12), let range = place(offset, size) else {
        return false
      }
      signature = range
    default: break
    }
    return true
  }

  private mutating func segment(_ bytes: [UInt8], isWide: Bool) -> Bool {
    guard let count = bytes.littleEndian(at: isWide ? 64 : 48, size: 4) else { return false }
    let size = isWide ? 80 : 68
    let start = isWide ? 72 : 56
    guard bytes.count >= start, count <= (bytes.count - start) / size,
      sections.count + count <= Self.limit
    else { return false }
    var isWhole = true
    for index in 0..<count {
      let section = start + index * size
      let length =
        isWide
        ? bytes.littleEndian(at: section + 40, size: 7)
        : bytes.littleEndian(at: section + 36, size: 4)
      guard let length, let offset = bytes.littleEndian(at: section + (isWide ? 48 : 40), size: 4),
        let flags = bytes.littleEndian(at: section + (isWide ? 64 : 56), size: 4)
      else { return false }
      // Sections of zeros take no space in the file.
      if [0x1, 0xC, 0x12].contains(flags & 0xFF) { continue }
      guard let range = place(offset, length) else {
        isWhole = false
        continue
      }
      sections.append(
        MachO.Section(
          segment: Self.name(bytes[section + 16..<section + 32]),
          name: Self.name(bytes[section..<section + 16]), range: range))
    }
    return isWhole
  }

  private func place(_ offset: Int, _ size: Int) -> Range<Int>? {
    guard offset <= part.count, size <= part.count - offset else { return nil }
    return part.lowerBound + offset..<part.lowerBound + offset + size
  }

  private static func name(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }
}
