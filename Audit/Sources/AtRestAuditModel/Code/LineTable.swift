import AtRestFormats

/// Converts an offset in a file into a line and a column.
package struct LineTable: Sendable {
  /// The offsets at which the lines begin.
  private let starts: [Int32]

  /// Counts a line at each `\n`, and at each `\r` that no `\n` follows.
  package init(_ text: UnsafeBufferPointer<UInt8>) {
    var starts: [Int32] = [0]
    starts.reserveCapacity(text.count / 32)
    for (offset, byte) in text.enumerated() where byte == 0x0A || byte == 0x0D {
      if byte == 0x0D, offset + 1 < text.count, text[offset + 1] == 0x0A { continue }
      starts.append(Int32(offset + 1))
    }
    self.starts = starts
  }

  package init(_ text: some Sequence<UInt8>) {
    self = Array(text).withUnsafeBufferPointer { LineTable($0) }
  }

  package var count: Int { starts.count }

  package func position(of offset: Int32) -> Position {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return Position(line: low + 1, column: Int(offset - starts[low]) + 1)
  }

  package func line(of offset: Int32) -> Int { position(of: offset).line }
}
