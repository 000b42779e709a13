import CAtRestSystem
import Foundation

/// Reads the layout that ``ByteWriter`` writes. Malformed input raises ``AtRestError/Code/damaged``
/// with the offset.
package struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private let name: String
  package private(set) var offset = 0

  /// Creates a reader.
  ///
  /// - Parameter name: The name of the input, for error messages.
  package init(_ bytes: UnsafeRawBufferPointer, name: String) {
    self.bytes = bytes
    self.name = name
  }

  package var remaining: Int { bytes.count - offset }

  package mutating func integer(_: UInt8.Type = UInt8.self) throws -> UInt8 { try next() }
  package mutating func integer(_: UInt16.Type = UInt16.self) throws -> UInt16 { try next() }
  package mutating func integer(_: UInt32.Type = UInt32.self) throws -> UInt32 { try next() }
  package mutating func integer(_: UInt64.Type = UInt64.self) throws -> UInt64 { try next() }
  package mutating func integer(_: Int64.Type = Int64.self) throws -> Int64 { try next() }

  private mutating func next<T: FixedWidthInteger>() throws -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw cutOff() }
    defer { offset += size }
    return T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Returns the next `count` bytes, which stay valid as long as the reader's buffer.
  package mutating func fixed(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, remaining >= count else { throw cutOff() }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  package mutating func counted(limit: Int) throws -> UnsafeRawBufferPointer {
    let start = offset
    let count = Int(try integer(UInt32.self))
    guard count <= limit else {
      throw AtRestError.damaged(
        "\(name) claims \(count) bytes at offset \(start), but at most \(limit) are allowed.")
    }
    return try fixed(count)
  }

  package func finish() throws {
    guard remaining == 0 else {
      throw AtRestError.damaged("\(name) has \(remaining) bytes too many at offset \(offset).")
    }
  }

  private func cutOff() -> AtRestError {
    .damaged("\(name) ends at offset \(bytes.count), in the middle of a value.")
  }
}
