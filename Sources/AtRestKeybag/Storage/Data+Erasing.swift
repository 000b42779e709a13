import Foundation

extension Data {
  /// Overwrites the bytes with zeros where they are. A part of other data, whose indices do not begin at
  /// zero, is overwritten in a copy of its own.
  mutating func erase() { resetBytes(in: startIndex..<endIndex) }
}
