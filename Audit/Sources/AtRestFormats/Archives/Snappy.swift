/// Unpacks blocks of Snappy (github.com/google/snappy, `format_description.txt`).
package enum Snappy {
  /// Unpacks a block.
  ///
  /// - Parameter limit: The maximum number of unpacked bytes.
  /// - Returns: The bytes, or nil if the block is damaged or larger than the limit.
  package static func unpack(_ packed: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    guard let (bytes, end, isWhole) = read(packed, limit: limit), isWhole, end == packed.endIndex
    else { return nil }
    return bytes
  }

  /// Unpacks a block that other bytes may follow, as far as it is intact.
  ///
  /// - Returns: The bytes, the index behind the packed ones, and true if the block is complete. Nil if its size is not
  ///   plausible.
  static func read(
    _ packed: ArraySlice<UInt8>, limit: Int
  ) -> (bytes: [UInt8], end: Int, isWhole: Bool)? {
    var reader = LittleCursor(packed)
    guard let size = reader.varint(), size <= limit, size <= packed.count << 6 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(size)
    while output.count < size {
      guard let tag = reader.number(1) else { break }
      let length: Int
      let distance: Int
      if tag & 3 == 0 {
        var count = tag >> 2
        if count >= 60 {
          guard let long = reader.number(count - 59) else { break }
          count = long
        }
        guard count < size - output.count, let bytes = reader.bytes(count + 1) else { break }
        output += bytes
        continue
      } else if tag & 3 == 1 {
        guard let low = reader.number(1) else { break }
        (length, distance) = (tag >> 2 & 7 + 4, (tag & 0xE0) << 3 | low)
      } else {
        guard let number = reader.number(tag & 3 == 2 ? 2 : 4) else { break }
        (length, distance) = (tag >> 2 + 1, number)
      }
      guard length <= size - output.count, output.repeatBytes(length, from: distance) else { break }
    }
    return (output, reader.place, output.count == size)
  }
}
