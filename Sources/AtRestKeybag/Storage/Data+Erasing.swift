import Foundation

extension Data {
  /// Overwrites the bytes with zeros in place. A slice, whose indices do not begin at zero, is
  /// overwritten only in a copy of its own.
  mutating func erase() { resetBytes(in: startIndex..<endIndex) }
}
