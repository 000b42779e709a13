import Foundation

extension Data {
  /// Overwrites the bytes with zeros in place. If this value is a slice of other data, only a copy
  /// of the slice is overwritten.
  mutating func erase() { resetBytes(in: startIndex..<endIndex) }
}
