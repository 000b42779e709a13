/// Takes decoded bytes, each with the range of source bytes from which it was decoded.
protocol ByteSink {
  mutating func append(_ byte: UInt8, _ start: Int, _ end: Int)
}

extension ByteSink {
  /// Appends the UTF-8 of a scalar, all of it decoded from the same range.
  mutating func append(_ scalar: Unicode.Scalar, _ start: Int, _ end: Int) {
    for byte in UTF8.encode(scalar)! { append(byte, start, end) }
  }
}

/// Decoded bytes without their places.
struct PlainBytes: ByteSink {
  var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8, _ start: Int, _ end: Int) { bytes.append(byte) }
}
