/// Takes decoded bytes, each with the range of source bytes from which it was decoded.
protocol ByteSink {
  mutating func append(_ byte: UInt8, _ start: Int, _ end: Int)
}

/// Decoded bytes without their places.
struct PlainBytes: ByteSink {
  var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8, _ start: Int, _ end: Int) { bytes.append(byte) }
}
