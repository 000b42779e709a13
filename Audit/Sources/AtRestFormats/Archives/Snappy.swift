/// Unpacks blocks of Snappy (github.com/google/snappy, `format_description.txt`).
package enum Snappy {
  /// Unpacks a block.
  ///
  /// - Parameter limit: The maximum number of unpacked bytes.
  /// - Returns: The bytes, or nil if the block is damaged or larger than the limit.
  package static func unpack(_ packed: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    var reader = LittleCursor(packed)
    guard let size = reader.varint(), size <= limit, size <= packed.count << 6 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(size)
    while let tag = reader.number(1) {
      let length: Int
      let distance: Int
      switch tag & 3 {
      case 0:
        var count = tag >> 2
        if count >= 60 {
          guard let long = reader.number(count - 59) else { return nil }
          count = long
        }
        guard count < size - output.count, let bytes = reader.bytes(count + 1) else { return nil }
        output += bytes
        continue
      case 1:
        guard let low = reader.number(1) else { return nil }
        (length, distance) = (tag >> 2 & 7 + 4, (tag & 0xE0) << 3 | low)
      case let kind:
        guard let number = reader.number(kind == 2 ? 2 : 4) else { return nil }
        (length, distance) = (tag >> 2 + 1, number)
      }
      guard length <= size - output.count, output.repeatBytes(length, from: distance) else {
        return nil
      }
    }
    return output.count == size ? output : nil
  }
}
