/// The key of a record in Chromium's IndexedDB, whose records are those of LevelDB.
///
/// Source: Chromium's `indexed_db_leveldb_coding.cc`.
package struct IndexedDBKey: Hashable, Sendable {
  package let database: Int
  package let store: Int
  /// The key that a web page gave the record.
  package let text: String

  /// The number of the index that contains the records themselves.
  private static let records = 1
  private static let depthLimit = 8

  /// Reads the key of a record. Returns nil for other keys, such as those of indices and names.
  package init?(_ bytes: [UInt8]) {
    guard let sizes = bytes.first.map(Int.init) else { return nil }
    var cursor = LittleCursor(bytes.dropFirst())
    guard let database = cursor.number(min(7, sizes >> 5 + 1)), database > 0,
      let store = cursor.number(min(7, sizes >> 2 & 7 + 1)), store > 0,
      let index = cursor.number(sizes & 3 + 1), index == Self.records,
      let text = Self.key(&cursor, depth: 0), cursor.left == 0
    else { return nil }
    (self.database, self.store, self.text) = (database, store, text)
  }

  /// Returns true for the key of a change that Chromium would undo after a crash. Its value contains the former record.
  package static func isUndo(_ bytes: [UInt8]) -> Bool { bytes.starts(with: undo) }

  private static let undo: [UInt8] = [0, 0, 0, 0, 50, 2]

  private static func key(_ cursor: inout LittleCursor, depth: Int) -> String? {
    guard depth < depthLimit, let type = cursor.number(1) else { return nil }
    switch type {
    case 1:
      guard let count = cursor.varint(), count <= cursor.left / 2,
        let bytes = cursor.bytes(2 * count)
      else { return nil }
      let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return String(decoding: units, as: UTF16.self)
    case 2, 3:
      return cursor.bytes(8).map { bytes in
        let real = Double(
          bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        return Int64(exactly: real).map(String.init) ?? String(real)
      }
    case 4:
      guard let count = cursor.varint(), count <= cursor.left else { return nil }
      var parts: [String] = []
      for _ in 0..<count {
        guard let part = key(&cursor, depth: depth + 1) else { return nil }
        parts.append(part)
      }
      return parts.joined(separator: ", ")
    case 6: return cursor.sizedBytes().map { "\($0.count) bytes" }
    default: return nil
    }
  }
}
