import AtRestCrypto
import Foundation

/// Reads the data values of a property list that consists of one dictionary.
///
/// Foundation reads a binary list object by object and copies each object for every reference to
/// it: 700 bytes of nested arrays keep Foundation busy forever. This reader therefore follows no
/// references except those to the requested values. XML has no references, so only the number of
/// its tags is limited.
enum PropertyListData {
  // A genuine list of three values has 12 tags.
  private static let maximumTagCount = 4_096

  static func isBinary(_ head: Data) -> Bool { head.starts(with: Data("bplist00".utf8)) }

  static func isXML(_ head: Data) -> Bool {
    var head = head.prefix(64)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
    head = head.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return ["<?xml", "<!DOCTYPE plist", "<plist"].contains { head.starts(with: $0.utf8) }
  }

  /// Returns the values of the given keys, without keys that are missing or whose value is not
  /// data.
  static func values(in list: Data, of keys: [String]) throws -> [String: Data] {
    if isBinary(list) {
      return try list.withUnsafeBytes { list in
        guard let values = BinaryReader(list)?.values(of: keys) else {
          throw AtRestError.damaged("The binary property list is malformed or not a dictionary.")
        }
        return values
      }
    }
    guard isXML(list) else {
      throw AtRestError.damaged("These bytes are not a property list, neither XML nor binary.")
    }
    let tags = list.withUnsafeBytes { $0.count { $0 == UInt8(ascii: "<") } }
    guard tags <= maximumTagCount else {
      throw AtRestError.damaged(
        "The property list has \(tags) tags; at most \(maximumTagCount) are allowed.")
    }
    // The parser's error is not passed on, because it may quote the input.
    guard
      let object = try? PropertyListSerialization.propertyList(from: list, format: nil),
      let dictionary = object as? [String: Any]
    else {
      throw AtRestError.damaged("The XML property list is malformed or not a dictionary.")
    }
    return dictionary.filter { keys.contains($0.key) }.compactMapValues { $0 as? Data }
  }

  /// A reader of `bplist00`: objects, a table of their offsets, and a trailer of 32 bytes that
  /// gives the position of the table. Integers are big-endian; the trailer gives their sizes.
  private struct BinaryReader {
    private let bytes: UnsafeRawBufferPointer
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let top: Int
    private let table: Int

    private enum Kind: UInt8 {
      case data = 0x4
      case ascii = 0x5
      case dictionary = 0xD
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count >= 8 + 1 + 1 + 32 else { return nil }
      let trailer = bytes.count - 32
      self.bytes = bytes
      offsetSize = Int(bytes[trailer + 6])
      referenceSize = Int(bytes[trailer + 7])
      guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
        let objectCount = Self.integer(bytes, at: trailer + 8, size: 8),
        let top = Self.integer(bytes, at: trailer + 16, size: 8),
        let table = Self.integer(bytes, at: trailer + 24, size: 8),
        table > 8, table < trailer, objectCount <= (trailer - table) / offsetSize,
        top < objectCount
      else { return nil }
      self.objectCount = objectCount
      self.top = top
      self.table = table
    }

    /// Returns nil if the list is not a dictionary, is malformed, or has a key twice.
    func values(of keys: [String]) -> [String: Data]? {
      guard let (kind, count, start) = object(top), kind == .dictionary,
        count <= (table - start) / referenceSize / 2
      else { return nil }
      var values: [String: Data] = [:]
      for index in 0..<count {
        guard let key = reference(start, index), let (kind, length, offset) = object(key) else {
          return nil
        }
        // Lengths are compared first, so many references to one long string take no time.
        guard kind == .ascii,
          let name = keys.first(where: {
            $0.utf8.count == length && $0.utf8.elementsEqual(bytes[offset..<offset + length])
          })
        else { continue }
        guard values[name] == nil, let value = reference(start, count + index),
          let (kind, length, offset) = object(value)
        else { return nil }
        if kind == .data { values[name] = Data(bytes[offset..<offset + length]) }
      }
      return values
    }

    private func reference(_ start: Int, _ index: Int) -> Int? {
      Self.integer(bytes, at: start + index * referenceSize, size: referenceSize)
    }

    /// Returns an object's kind (nil for kinds not needed here), its count, and the start of its
    /// contents. The result is nil if the object is malformed.
    private func object(_ number: Int) -> (kind: Kind?, count: Int, start: Int)? {
      guard number < objectCount,
        let offset = Self.integer(bytes, at: table + number * offsetSize, size: offsetSize),
        offset >= 8, offset < table
      else { return nil }
      guard let kind = Kind(rawValue: bytes[offset] >> 4) else { return (nil, 0, offset) }
      var count = Int(bytes[offset] & 0x0F)
      var start = offset + 1
      if count == 0x0F {
        // The count follows as an integer object, whose first byte is 0001 and the binary logarithm
        // of the integer's size.
        guard start < table, bytes[start] & 0xF0 == 0x10, bytes[start] & 0x0F <= 3,
          case let size = 1 << Int(bytes[start] & 0x0F), start + 1 + size <= table,
          let long = Self.integer(bytes, at: start + 1, size: size)
        else { return nil }
        count = long
        start += 1 + size
      }
      guard count <= table - start else { return nil }
      return (kind, count, start)
    }

    /// Returns an integer, or nil if it does not fit into `Int`. The caller must have checked that
    /// the bytes are in the list.
    private static func integer(
      _ bytes: UnsafeRawBufferPointer, at offset: Int, size: Int
    ) -> Int? {
      Int(exactly: bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
  }
}
