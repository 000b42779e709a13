/// The format of a record: the types of its values, followed by the values.
enum SQLiteRecord {
  /// The maximum size of a header, in bytes. SQLite treats a longer one as damaged.
  static let headerLimit = 98_307

  /// The size in bytes of a value of a type, or nil if the type does not exist.
  static func size(ofType type: UInt64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 12...UInt64(Int32.max): Int(type - 12) / 2
    default: nil
    }
  }

  /// Decodes a value. Strings and blobs may be incomplete, other values may not.
  static func value(
    ofType type: UInt64, _ bytes: [UInt8], _ range: Range<Int>, _ encoding: SQLiteEncoding
  ) -> SQLiteValue {
    switch type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 1...7:
      var bits: UInt64 = bytes[range.lowerBound] < 0x80 ? 0 : .max
      for index in range { bits = bits << 8 | UInt64(bytes[index]) }
      guard type == 7 else { return .integer(Int64(bitPattern: bits)) }
      let real = Double(bitPattern: bits)
      return real.isNaN ? .null : .real(real)
    default:
      return type % 2 == 0 ? .blob(bytes[range]) : .text(encoding.utf8(bytes[range]))
    }
  }

  /// Appends the values of a record that is in one piece.
  ///
  /// - Returns: True if all of the record could be read.
  static func read(
    _ bytes: [UInt8], _ range: Range<Int>, _ encoding: SQLiteEncoding,
    into values: inout [SQLiteValue]
  ) -> Bool {
    var position = range.lowerBound
    guard let size = bytes.sqliteVarint(at: &position, limit: range.upperBound),
      size <= UInt64(range.count)
    else { return range.isEmpty }
    var start = range.lowerBound + Int(size)
    let headerEnd = start
    while position < headerEnd {
      guard let type = bytes.sqliteVarint(at: &position, limit: headerEnd),
        let length = Self.size(ofType: type)
      else { return false }
      let room = range.upperBound - start
      guard length <= room else {
        if type >= 12 { values.append(value(ofType: type, bytes, start..<start + room, encoding)) }
        return false
      }
      values.append(value(ofType: type, bytes, start..<start + length, encoding))
      start += length
    }
    return true
  }
}
