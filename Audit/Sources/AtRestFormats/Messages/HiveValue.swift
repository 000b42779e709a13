import Foundation

/// Reads values of Hive: numbers, texts, lists and maps, and objects of an app's own types.
///
/// Source: Hive's `binary_reader_impl.dart`. Adapters that Hive's generator writes store an object as the number of its
/// fields, and each field as a number and a value. Other adapters write what they like.
package struct HiveValue {
  private var cursor: LittleCursor
  private var budget = PropertyList.valueLimit

  private static let depthLimit = 64
  /// The lowest number of an app's own type.
  private static let ownTypes = 32
  /// The number that says that the number of a type follows in two bytes.
  private static let extendedType = 21

  /// Reads a value, or returns nil if the bytes are not one from the first to the last.
  package static func read(_ bytes: [UInt8]) -> PropertyList.Node? {
    var reader = HiveValue(cursor: LittleCursor(bytes[...]))
    guard let node = reader.value(depth: 0), reader.cursor.left == 0 else { return nil }
    return node
  }

  private init(cursor: LittleCursor) { self.cursor = cursor }

  private mutating func value(depth: Int) -> PropertyList.Node? {
    budget -= 1
    guard budget >= 0, depth < Self.depthLimit, let type = cursor.number(1) else { return nil }
    switch type {
    case 0: return .init(.null)
    case 1, 2: return number()
    case 3: return flag()
    case 4: return cursor.number(4).flatMap { text($0) }
    case 5: return cursor.number(4).flatMap { cursor.bytes($0) }.map { .init(.data(Data($0))) }
    case 6, 7, 13, 14: return list { $0.number() }
    case 8: return list { $0.flag() }
    case 9, 15: return list { reader in reader.cursor.number(4).flatMap { reader.text($0) } }
    case 10, 19: return list { $0.value(depth: depth + 1) }
    case 11: return map(depth)
    case 12: return references()
    // A time or a duration in milliseconds.
    case 16, 20: return number()
    // A large integer, as text.
    case 17: return cursor.number(1).flatMap { text($0) }
    case 18:
      guard let time = number(), flag() != nil else { return nil }
      return time
    case Self.extendedType: return cursor.number(2) == nil ? nil : object(depth)
    case Self.ownTypes...: return object(depth)
    default: return nil
    }
  }

  /// Reads a number, which is a real one even if it is an integer.
  private mutating func number() -> PropertyList.Node? {
    guard let bytes = cursor.bytes(8) else { return nil }
    let real = Double(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    return .init(Int64(exactly: real).map { .integer($0) } ?? .real(real))
  }

  private mutating func flag() -> PropertyList.Node? {
    cursor.number(1).map { .init(.boolean($0 > 0)) }
  }

  private mutating func text(_ size: Int) -> PropertyList.Node? {
    cursor.bytes(size).flatMap { String(validating: $0, as: UTF8.self) }.map { .init(.string($0)) }
  }

  private mutating func list(
    _ element: (inout HiveValue) -> PropertyList.Node?
  ) -> PropertyList.Node? {
    guard let count = cursor.number(4), count <= cursor.left else { return nil }
    var nodes: [PropertyList.Node] = []
    for _ in 0..<count {
      budget -= 1
      guard budget >= 0, let node = element(&self) else { return nil }
      nodes.append(node)
    }
    return .init(.array(nodes))
  }

  private mutating func map(_ depth: Int) -> PropertyList.Node? {
    guard let count = cursor.number(4), count <= cursor.left else { return nil }
    var entries: [PropertyList.Entry] = []
    var others: [PropertyList.Node] = []
    for _ in 0..<count {
      guard let key = value(depth: depth + 1), let node = value(depth: depth + 1) else {
        return nil
      }
      if let text = key.keyText {
        entries.append(PropertyList.Entry(text, node))
      } else {
        others += [key, node]
      }
    }
    let map = PropertyList.Node(.dictionary(entries))
    return others.isEmpty ? map : .init(.array(others + [map]))
  }

  /// Reads a list of the keys of objects in another box.
  private mutating func references() -> PropertyList.Node? {
    guard let count = cursor.number(4), count <= cursor.left, let size = cursor.number(1),
      let box = text(size)
    else { return nil }
    var nodes = [box]
    for _ in 0..<count {
      guard let type = cursor.number(1) else { return nil }
      let key: PropertyList.Node? =
        switch type {
        case 0: cursor.number(4).map { .init(.integer(Int64($0))) }
        case 1: cursor.number(1).flatMap { text($0) }
        default: nil
        }
      guard let key else { return nil }
      nodes.append(key)
    }
    return .init(.array(nodes))
  }

  /// Reads an object of an app's own type, as generated adapters store it.
  private mutating func object(_ depth: Int) -> PropertyList.Node? {
    guard let count = cursor.number(1) else { return nil }
    var entries: [PropertyList.Entry] = []
    for _ in 0..<count {
      guard let field = cursor.number(1), let node = value(depth: depth + 1) else { return nil }
      entries.append(PropertyList.Entry("field \(field)", node))
    }
    return .init(.dictionary(entries))
  }
}
