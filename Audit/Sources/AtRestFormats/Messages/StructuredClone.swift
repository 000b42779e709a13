import Foundation

/// Reads values that WebKit keeps in IndexedDB: structured clones, whose format is described in its
/// `SerializedScriptValue.cpp`.
package struct StructuredClone {
  private var cursor: ByteCursor
  private let version: Int
  /// True if the mark after the elements of an array is followed by the mark after its properties.
  private let marksProperties: Bool
  private var strings: [String] = []
  /// The number of objects so far, to which later ones can refer.
  private var objects = 0

  private static let terminator: UInt32 = 0xFFFF_FFFF
  private static let pooled: UInt32 = 0xFFFF_FFFE
  private static let properties: UInt32 = 0xFFFF_FFFD
  private static let isNarrow: UInt32 = 0x8000_0000

  /// Reads a value. Returns nil if the bytes are not one from their first to their last byte, or if
  /// the value is of a kind that holds no text.
  package static func read(_ bytes: [UInt8]) -> PropertyList.Node? {
    // The major version, and the minor one in the highest byte.
    guard bytes.count > 4, (1...32).contains(bytes[0]), bytes[1] == 0, bytes[2] == 0, bytes[3] <= 4
    else { return nil }
    let marks = bytes[0] >= 15 || bytes[0] == 12 && bytes[3] == 1
    var reader = StructuredClone(
      cursor: ByteCursor(bytes), version: Int(bytes[0]), marksProperties: marks)
    _ = reader.cursor.bytes(4)
    guard let node = reader.value(depth: 0), reader.cursor.isAtEnd else { return nil }
    return node
  }

  private init(cursor: ByteCursor, version: Int, marksProperties: Bool) {
    self.cursor = cursor
    self.version = version
    self.marksProperties = marksProperties
  }

  private mutating func value(depth: Int) -> PropertyList.Node? {
    guard cursor.take(), depth < ByteCursor.depthLimit, let tag = cursor.number(1) else {
      return nil
    }
    switch tag {
    case 1, 2, 29, 30:
      objects += 1
      switch tag {
      case 1: return array(depth)
      case 2: return named(depth).map { .init(.dictionary($0)) }
      default: return collection(isMap: tag == 30, depth)
      }
    case 3, 4: return .init(.null)
    case 5: return word().map { .init(.integer(Int64(Int32(bitPattern: $0)))) }
    case 6, 7: return .init(.integer(Int64(tag - 6)))
    case 8, 9: return .init(.boolean(tag == 9))
    case 10: return real()
    // Milliseconds since 1970.
    case 11: return real()
    case 12: return file()
    case 15: return blob()
    case 16: return string().map { .init(.string($0)) }
    case 17: return .init(.string(""))
    case 18: return pattern()
    case 19: return reference()
    case 21: return buffer()
    case 22: return view(depth)
    case 24, 25:
      objects += 1
      return .init(.boolean(tag == 24))
    case 26:
      objects += 1
      return string().map { .init(.string($0)) }
    case 27:
      objects += 1
      return .init(.string(""))
    case 28:
      objects += 1
      return real()
    case 33: return word().flatMap { data(UInt64($0)) }
    case 47: return bigInteger()
    default: return nil
    }
  }

  // MARK: Collections

  private mutating func array(_ depth: Int) -> PropertyList.Node? {
    guard word() != nil else { return nil }
    var nodes: [PropertyList.Node] = []
    while let index = word() {
      let mark = index == Self.terminator && marksProperties ? word() : index
      switch mark {
      case Self.terminator?: return .init(.array(nodes))
      case Self.properties?:
        return named(depth).map { entries in
          .init(.array(entries.isEmpty ? nodes : nodes + [.init(.dictionary(entries))]))
        }
      case nil: return nil
      default:
        guard let node = value(depth: depth + 1) else { return nil }
        nodes.append(node)
      }
    }
    return nil
  }

  /// Reads names and values up to the mark after them.
  private mutating func named(_ depth: Int) -> [PropertyList.Entry]? {
    var entries: [PropertyList.Entry] = []
    while let length = word() {
      if length == Self.terminator { return entries }
      guard let name = string(length), let node = value(depth: depth + 1) else { return nil }
      entries.append(PropertyList.Entry(name, node))
    }
    return nil
  }

  /// Reads a map or a set, and the properties that it also has.
  private mutating func collection(isMap: Bool, _ depth: Int) -> PropertyList.Node? {
    var entries: [PropertyList.Entry] = []
    var nodes: [PropertyList.Node] = []
    while let tag = cursor.next, tag != (isMap ? 31 : 32) {
      guard let first = value(depth: depth + 1) else { return nil }
      guard isMap else {
        nodes.append(first)
        continue
      }
      guard let second = value(depth: depth + 1) else { return nil }
      if let key = first.keyText {
        entries.append(PropertyList.Entry(key, second))
      } else {
        nodes += [first, second]
      }
    }
    guard cursor.number(1) != nil, let properties = named(depth) else { return nil }
    entries += properties
    if entries.isEmpty { return .init(.array(nodes)) }
    let list = PropertyList.Node(.dictionary(entries))
    return nodes.isEmpty ? list : .init(.array(nodes + [list]))
  }

  // MARK: Texts

  private mutating func string() -> String? { word().flatMap { string($0) } }

  /// Reads a string whose length is known. The highest bit says that it is Latin-1, and otherwise it
  /// is UTF-16. A string that occurred before is the number of it.
  private mutating func string(_ length: UInt32) -> String? {
    if length == Self.pooled {
      guard let index = index(below: strings.count), index < strings.count else { return nil }
      return strings[index]
    }
    let isNarrow = version >= 6 && length & Self.isNarrow != 0
    let count = Int(length & ~Self.isNarrow)
    guard let bytes = cursor.bytes(isNarrow ? count : 2 * count) else { return nil }
    let units =
      isNarrow
      ? bytes.map { UInt16($0) }
      : stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
    let text = String(decoding: units, as: UTF16.self)
    strings.append(text)
    return text
  }

  /// Reads an index in as many bytes as the number of things needs.
  private mutating func index(below count: Int) -> Int? {
    cursor.bytes(count <= 0xFF ? 1 : count <= 0xFFFF ? 2 : 4)
      .map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
  }

  private mutating func fields(_ names: [String]) -> [PropertyList.Entry]? {
    var entries: [PropertyList.Entry] = []
    for name in names {
      guard let text = string() else { return nil }
      entries.append(PropertyList.Entry(name, .init(.string(text))))
    }
    return entries
  }

  private mutating func pattern() -> PropertyList.Node? {
    fields(["pattern", "flags"]).map { .init(.dictionary($0)) }
  }

  private mutating func file() -> PropertyList.Node? {
    guard let entries = fields(["path", "url", "type", "name"]), version < 7 || long() != nil else {
      return nil
    }
    return .init(.dictionary(entries))
  }

  private mutating func blob() -> PropertyList.Node? {
    guard let entries = fields(["url", "type"]), long() != nil, version < 11 || long() != nil else {
      return nil
    }
    return .init(.dictionary(entries))
  }

  // MARK: Bytes

  /// Reads a reference to an object that was read before, whose contents are not repeated.
  private mutating func reference() -> PropertyList.Node? {
    index(below: objects).map { _ in .init(.null) }
  }

  private mutating func buffer() -> PropertyList.Node? {
    objects += 1
    return size().flatMap { data($0) }
  }

  /// Reads the kind of an array of numbers, its place in a buffer, and the buffer.
  private mutating func view(_ depth: Int) -> PropertyList.Node? {
    guard cursor.number(1) != nil, size() != nil, size() != nil else { return nil }
    let node = value(depth: depth + 1)
    objects += 1
    return node
  }

  private mutating func data(_ count: UInt64) -> PropertyList.Node? {
    guard count <= UInt64(cursor.left) else { return nil }
    return cursor.bytes(Int(count)).map { .init(.data(Data($0))) }
  }

  /// Reads the sign of an integer, and its digits of 64 bits, whose value is of no interest.
  private mutating func bigInteger() -> PropertyList.Node? {
    guard cursor.number(1) != nil, let count = word(),
      cursor.bytes(Int(count) * 8) != nil
    else { return nil }
    return .init(.null)
  }

  private mutating func size() -> UInt64? { version >= 10 ? long() : word().map(UInt64.init) }

  private mutating func real() -> PropertyList.Node? {
    long().map { .init(.real(Double(bitPattern: $0))) }
  }

  private mutating func long() -> UInt64? { cursor.number(8).map(\.byteSwapped) }

  private mutating func word() -> UInt32? {
    cursor.number(4).map { UInt32(truncatingIfNeeded: $0).byteSwapped }
  }
}
