import Foundation

/// Reads CBOR (RFC 8949) as a tree.
///
/// Only bytes that are a dictionary with text as keys, or an array of such, are accepted, and
/// nothing may follow.
package struct CBORReader {
  private var cursor: ByteCursor

  /// Reads a document. Returns nil if the bytes are not one.
  package static func read(_ bytes: [UInt8]) -> PropertyList.Node? {
    var reader = CBORReader(cursor: ByteCursor(bytes))
    guard let node = reader.value(depth: 0), reader.cursor.isAtEnd, node.isRecord else {
      return nil
    }
    return node
  }

  private mutating func value(depth: Int) -> PropertyList.Node? {
    guard cursor.take(), depth < ByteCursor.depthLimit, let head = cursor.number(1) else {
      return nil
    }
    let kind = head >> 5
    if kind == 7 { return simple(head & 31) }
    // An indefinite length, whose end is a mark.
    if head & 31 == 31 { return parts(kind, depth) }
    guard let number = argument(head & 31) else { return nil }
    switch kind {
    case 0: return .init(.integer(Int64(truncatingIfNeeded: number)))
    case 1: return .init(.integer(-1 &- Int64(truncatingIfNeeded: number)))
    case 2: return size(number).flatMap { cursor.bytes($0) }.map { .init(.data(Data($0))) }
    case 3: return size(number).flatMap { cursor.text($0) }.map { .init(.string($0)) }
    case 4: return size(number).flatMap { array($0, depth) }
    case 5: return size(number).flatMap { dictionary($0, depth) }
    // A tag, which describes the value that follows.
    default: return value(depth: depth + 1)
    }
  }

  private mutating func argument(_ head: UInt64) -> UInt64? {
    switch head {
    case 0...23: head
    case 24...27: cursor.number(1 << Int(head - 24))
    default: nil
    }
  }

  private func size(_ number: UInt64) -> Int? { number <= UInt64(cursor.left) ? Int(number) : nil }

  private mutating func simple(_ head: UInt64) -> PropertyList.Node? {
    switch head {
    case 20, 21: .init(.boolean(head == 21))
    case 22, 23: .init(.null)
    case 24: cursor.number(1).map { _ in .init(.null) }
    // Half precision, which is not converted.
    case 25: cursor.number(2).map { _ in .init(.null) }
    case 26:
      cursor.number(4).map {
        .init(.real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0)))))
      }
    case 27: cursor.number(8).map { .init(.real(Double(bitPattern: $0))) }
    default: nil
    }
  }

  private mutating func array(_ count: Int, _ depth: Int) -> PropertyList.Node? {
    var nodes: [PropertyList.Node] = []
    for _ in 0..<count {
      guard let node = value(depth: depth + 1) else { return nil }
      nodes.append(node)
    }
    return .init(.array(nodes))
  }

  private mutating func dictionary(_ count: Int, _ depth: Int) -> PropertyList.Node? {
    var entries: [PropertyList.Entry] = []
    for _ in 0..<count {
      guard let key = value(depth: depth + 1)?.keyText, let node = value(depth: depth + 1) else {
        return nil
      }
      entries.append(.init(key, node))
    }
    return .init(.dictionary(entries))
  }

  /// Reads values up to the mark that ends them.
  private mutating func parts(_ kind: UInt64, _ depth: Int) -> PropertyList.Node? {
    guard (2...5).contains(kind) else { return nil }
    var nodes: [PropertyList.Node] = []
    while cursor.next != 0xFF {
      guard let node = value(depth: depth + 1) else { return nil }
      nodes.append(node)
    }
    _ = cursor.number(1)
    switch kind {
    case 2:
      var data = Data()
      for node in nodes {
        guard case .data(let part) = node.value else { return nil }
        data += part
      }
      return .init(.data(data))
    case 3: return .init(.string(nodes.compactMap(\.string).joined()))
    case 4: return .init(.array(nodes))
    default:
      guard nodes.count.isMultiple(of: 2) else { return nil }
      var entries: [PropertyList.Entry] = []
      for index in stride(from: 0, to: nodes.count, by: 2) {
        guard let key = nodes[index].keyText else { return nil }
        entries.append(.init(key, nodes[index + 1]))
      }
      return .init(.dictionary(entries))
    }
  }
}
