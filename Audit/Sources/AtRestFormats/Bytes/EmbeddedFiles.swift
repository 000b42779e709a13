/// Finds files of known formats behind other bytes, by their first bytes.
package enum EmbeddedFiles {
  /// The maximum number of bytes that are searched.
  private static let searchLimit = 64 << 20
  private static let windowSize = 1 << 20
  /// The longest beginning of a file that is needed to recognise it, in bytes.
  private static let headSize = 64

  /// The compressed formats that are found.
  package static let packed: Set<FileType> = [.gzip, .bzip2, .xz, .zstd, .lz4]
  private static let types = packed.union([.sqlite, .binaryPropertyList, .zip])

  /// The first four bytes of the formats.
  private static let magics: Set<UInt32> = [
    0x5351_4C69, 0x6270_6C69, 0x504B_0304, 0x1F8B_0800, 0x1F8B_0808, 0xFD37_7A58, 0x28B5_2FFD,
    0x0422_4D18,
    0x425A_6839,
  ]
  private static let firstBytes: [Bool] = (0..<256).map { byte in
    magics.contains { $0 >> 24 == byte }
  }

  /// Returns the first file of each type, up to one that has no end of its own, in the order of their offsets.
  package static func find(in source: ByteSource) -> [(type: FileType, offset: Int)] {
    var found: [(type: FileType, offset: Int)] = []
    let end = min(source.count, searchLimit)
    var start = 0
    while start < end, let window = try? source.read(start..<min(end, start + windowSize)) {
      for (type, offset) in find(in: window) where !found.contains(where: { $0.type == type }) {
        found.append((type, start + offset))
        // The rest belongs to it.
        if type == .sqlite || type == .zip { return found }
      }
      guard start + window.count < end else { break }
      start += window.count - headSize
    }
    return found
  }

  private static func find(in window: [UInt8]) -> [(type: FileType, offset: Int)] {
    window.withUnsafeBufferPointer { bytes in
      var found: [(FileType, Int)] = []
      for offset in 0..<max(0, bytes.count - headSize) where firstBytes[Int(bytes[offset])] {
        let word = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[offset + $1]) }
        guard magics.contains(word) else { continue }
        let type = FileType.read(Array(bytes[offset..<offset + headSize]))
        if types.contains(type) { found.append((type, offset)) }
      }
      return found
    }
  }
}
