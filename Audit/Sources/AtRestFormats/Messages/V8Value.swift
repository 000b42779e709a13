import Foundation

/// Reads values as Chromium keeps them in IndexedDB: structured clones of V8, in the envelope of Blink.
///
/// Source: V8's `value-serializer.cc`, to version 16, and Blink's `serialized_script_value.cc`, to version 21.
package struct V8Value {
  private var cursor: LittleCursor
  private let version: Int
  private var budget = PropertyList.valueLimit
  /// The number of objects so far, to which later ones can refer.
  private var objects = 0

  private static let depthLimit = 64
  private static let mark: UInt8 = 0xFF
  /// The version of the envelope that says that more follows: nothing known, or a packed value.
  private static let wrapped: UInt8 = 17
  private static let packed: UInt8 = 2
  /// The mark and the size of a place in the envelope, in bytes.
  private static let trailer = (mark: UInt8(0xFE), size: 13)
  private static let versions = (envelope: UInt8(1)...40, value: UInt8(9)...31)

  /// Reads a value. Returns nil if the bytes are not one, or if it is of a kind that holds no text.
  ///
  /// - Parameter limit: The maximum size of a value that has to be unpacked, in bytes.
  package static func read(_ bytes: [UInt8], limit: Int) -> PropertyList.Node? {
    // In IndexedDB, the version of the database's records precedes a value.
    guard let start = bytes.prefix(5).firstIndex(of: mark), start + 2 < bytes.count,
      bytes[..<start].dropLast().allSatisfy({ $0 >= 0x80 }), start == 0 || bytes[start - 1] < 0x80
    else { return nil }
    var rest = bytes[start...]
    if rest[start + 1] == wrapped, rest[start + 2] == packed {
      guard let unpacked = Snappy.unpack(rest.dropFirst(3), limit: limit) else { return nil }
      rest = unpacked[...]
    }
    guard rest.count > 2, rest.first == mark, versions.envelope.contains(rest[rest.startIndex + 1])
    else { return nil }
    var body = rest.dropFirst(2)
    if body.first == trailer.mark { body = body.dropFirst(trailer.size) }
    // Without an envelope, the first version is that of the value.
    if body.first == mark { body = body.dropFirst(2) } else { body = rest.dropFirst(2) }
    guard let version = body.isEmpty ? nil : rest[body.startIndex - 1],
      versions.value.contains(version)
    else { return nil }
    var reader = V8Value(cursor: LittleCursor(body), version: Int(version))
    // Zeros may fill the last bytes.
    guard let node = reader.value(depth: 0), reader.cursor.left < 16 else { return nil }
    return node
  }

  private init(cursor: LittleCursor, version: Int) {
    self.cursor = cursor
    self.version = version
  }

  /// Reads the next tag. Zeros before it align what follows.
  private mutating func tag() -> UnicodeScalar? {
    while let byte = cursor.number(1) {
      if byte != 0 { return UnicodeScalar(UInt8(byte)) }
    }
    return nil
  }

  private mutating func value(depth: Int) -> PropertyList.Node? {
    tag().flatMap { value($0, depth: depth) }
  }

  private mutating func value(_ tag: UnicodeScalar, depth: Int) -> PropertyList.Node? {
    budget -= 1
    guard budget >= 0, depth < Self.depthLimit else { return nil }
    switch tag {
    case "_", "0", "-": return .init(.null)
    case "T", "F": return .init(.boolean(tag == "T"))
    case "I": return cursor.varint().map { .init(.integer(Int64($0 >> 1 ^ -($0 & 1)))) }
    case "U": return cursor.varint().map { .init(.integer(Int64($0))) }
    case "N": return real()
    case "\"", "c", "S": return text(tag).map { .init(.string($0)) }
    case "Z": return bigInteger()
    case "?": return cursor.varint() == nil ? nil : value(depth: depth)
    case "^": return cursor.varint() == nil ? nil : .init(.null)
    default:
      objects += 1
      return object(tag, depth)
    }
  }

  private mutating func object(_ tag: UnicodeScalar, _ depth: Int) -> PropertyList.Node? {
    switch tag {
    case "o": return properties(until: "{", depth).map { .init(.dictionary($0)) }
    case "A": return array(depth)
    case "a":
      guard cursor.varint() != nil, let entries = properties(until: "@", depth) else { return nil }
      return cursor.varint() == nil ? nil : .init(.array(entries.map(\.node)))
    case ";": return map(depth)
    case "'": return elements(until: ",", depth).map { .init(.array($0)) }
    case "D", "n": return real()
    case "y", "x": return .init(.boolean(tag == "y"))
    case "z": return bigInteger()
    case "s": return self.tag().flatMap { text($0) }.map { .init(.string($0)) }
    case "R":
      guard let pattern = self.tag().flatMap({ text($0) }), cursor.varint() != nil else {
        return nil
      }
      return .init(.string(pattern))
    case "B", "~": return buffer(isResizable: tag == "~")
    default: return nil
    }
  }

  // MARK: Collections

  /// Reads names and values up to a tag, which their number follows.
  private mutating func properties(
    until end: UnicodeScalar, _ depth: Int
  ) -> [PropertyList.Entry]? {
    var entries: [PropertyList.Entry] = []
    while let tag = tag() {
      if tag == end { return cursor.varint() == nil ? nil : entries }
      guard let key = value(tag, depth: depth + 1), let node = value(depth: depth + 1),
        let name = key.keyText
      else { return nil }
      entries.append(PropertyList.Entry(name, node))
    }
    return nil
  }

  private mutating func array(_ depth: Int) -> PropertyList.Node? {
    guard let count = cursor.varint(), count <= cursor.left else { return nil }
    var nodes: [PropertyList.Node] = []
    for _ in 0..<count {
      guard let node = value(depth: depth + 1) else { return nil }
      nodes.append(node)
    }
    guard let others = properties(until: "$", depth), cursor.varint() != nil else { return nil }
    return .init(.array(others.isEmpty ? nodes : nodes + [.init(.dictionary(others))]))
  }

  /// Reads values up to a tag, which their number follows.
  private mutating func elements(until end: UnicodeScalar, _ depth: Int) -> [PropertyList.Node]? {
    var nodes: [PropertyList.Node] = []
    while let tag = tag() {
      if tag == end { return cursor.varint() == nil ? nil : nodes }
      guard let node = value(tag, depth: depth + 1) else { return nil }
      nodes.append(node)
    }
    return nil
  }

  private mutating func map(_ depth: Int) -> PropertyList.Node? {
    guard let nodes = elements(until: ":", depth), nodes.count % 2 == 0 else { return nil }
    let pairs = stride(from: 0, to: nodes.count, by: 2).map { (nodes[$0].keyText, nodes[$0 + 1]) }
    guard pairs.allSatisfy({ $0.0 != nil }) else { return .init(.array(nodes)) }
    return .init(.dictionary(pairs.map { PropertyList.Entry($0.0 ?? "", $0.1) }))
  }

  // MARK: Values

  private mutating func text(_ tag: UnicodeScalar) -> String? {
    guard let size = cursor.varint(), let bytes = cursor.bytes(size) else { return nil }
    switch tag {
    case "\"": return String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    case "S": return String(validating: bytes, as: UTF8.self)
    case "c":
      guard size % 2 == 0 else { return nil }
      let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
      return String(decoding: units, as: UTF16.self)
    default: return nil
    }
  }

  private mutating func real() -> PropertyList.Node? {
    cursor.bytes(8).map { bytes in
      let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return .init(.real(Double(bitPattern: bits)))
    }
  }

  /// Reads the sign and the size of an integer, and its digits, whose value is of no interest.
  private mutating func bigInteger() -> PropertyList.Node? {
    guard let field = cursor.varint(), cursor.bytes(field >> 1) != nil else { return nil }
    return .init(.null)
  }

  /// Reads bytes, and the view of them that may follow.
  private mutating func buffer(isResizable: Bool) -> PropertyList.Node? {
    guard let size = cursor.varint(), !isResizable || cursor.varint() != nil,
      let bytes = cursor.bytes(size)
    else { return nil }
    var ahead = cursor
    if let tag = ahead.number(1), tag == 0x56 {
      // The type of the view, its place, its size and, since version 14, its flags.
      guard ahead.number(1) != nil, ahead.varint() != nil, ahead.varint() != nil,
        version < 14 || ahead.varint() != nil
      else { return nil }
      cursor = ahead
    }
    return .init(.data(Data(bytes)))
  }
}
