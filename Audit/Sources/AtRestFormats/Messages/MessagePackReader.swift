import Foundation

/// Reads MessagePack as a tree.
///
/// Nothing in the format says that bytes are MessagePack, so only bytes that are a dictionary with
/// text as keys, or an array of such, are accepted, and nothing may follow.
package struct MessagePackReader {
  private var cursor: ByteCursor

  /// Reads a document. Returns nil if the bytes are not one.
  package static func read(_ bytes: [UInt8]) -> PropertyList.Node? {
    var reader = MessagePackReader(cursor: ByteCursor(bytes))
    guard let node = reader.value(depth: 0), reader.cursor.isAtEnd, node.isRecord else {
      return nil
    }
    return node
  }

  private mutating func value(depth: Int) -> PropertyList.Node? {
    guard cursor.take(), depth < ByteCursor.depthLimit, let head = cursor.number(1) else {
      return nil
    }
    switch head {
    case 0x00...0x7F: return .init(.integer(Int64(head)))
    case 0x80...0x8F: return dictionary(Int(head & 15), depth)
    case 0x90...0x9F: return array(Int(head & 15), depth)
    case 0xA0...0xBF: return text(Int(head & 31))
    case 0xC0: return .init(.null)
    case 0xC2, 0xC3: return .init(.boolean(head == 0xC3))
    case 0xC4...0xC6: return cursor.size(1 << Int(head - 0xC4)).flatMap { data($0) }
    case 0xC7...0xC9:
      return cursor.size(1 << Int(head - 0xC7)).flatMap { size in
        cursor.number(1) == nil ? nil : data(size)
      }
    case 0xCA:
      return cursor.number(4).map {
        .init(.real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0)))))
      }
    case 0xCB: return cursor.number(8).map { .init(.real(Double(bitPattern: $0))) }
    case 0xCC...0xCF:
      return cursor.number(1 << Int(head - 0xCC)).map {
        .init(.integer(Int64(truncatingIfNeeded: $0)))
      }
    case 0xD0: return cursor.number(1).map { .init(.integer(Int64(Int8(truncatingIfNeeded: $0)))) }
    case 0xD1: return cursor.number(2).map { .init(.integer(Int64(Int16(truncatingIfNeeded: $0)))) }
    case 0xD2: return cursor.number(4).map { .init(.integer(Int64(Int32(truncatingIfNeeded: $0)))) }
    case 0xD3: return cursor.number(8).map { .init(.integer(Int64(truncatingIfNeeded: $0))) }
    case 0xD4...0xD8: return cursor.number(1) == nil ? nil : data(1 << Int(head - 0xD4))
    case 0xD9...0xDB: return cursor.size(1 << Int(head - 0xD9)).flatMap { text($0) }
    case 0xDC, 0xDD: return cursor.size(head == 0xDC ? 2 : 4).flatMap { array($0, depth) }
    case 0xDE, 0xDF: return cursor.size(head == 0xDE ? 2 : 4).flatMap { dictionary($0, depth) }
    case 0xE0...0xFF: return .init(.integer(Int64(head) - 256))
    default: return nil
    }
  }

  private mutating func text(_ count: Int) -> PropertyList.Node? {
    cursor.text(count).map { .init(.string($0)) }
  }

  private mutating func data(_ count: Int) -> PropertyList.Node? {
    cursor.bytes(count).map { .init(.data(Data($0))) }
  }

  private mutating func array(_ count: Int, _ depth: Int) -> PropertyList.Node? {
    guard count <= cursor.left else { return nil }
    var nodes: [PropertyList.Node] = []
    for _ in 0..<count {
      guard let node = value(depth: depth + 1) else { return nil }
      nodes.append(node)
    }
    return .init(.array(nodes))
  }

  private mutating func dictionary(_ count: Int, _ depth: Int) -> PropertyList.Node? {
    guard count <= cursor.left else { return nil }
    var entries: [PropertyList.Entry] = []
    for _ in 0..<count {
      guard let key = value(depth: depth + 1)?.keyText, let node = value(depth: depth + 1) else {
        return nil
      }
      entries.append(.init(key, node))
    }
    return .init(.dictionary(entries))
  }
}
