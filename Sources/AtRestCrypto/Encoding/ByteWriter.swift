import Foundation

/// Writes the binary layouts of `docs/Formats.md`: big-endian integers, and runs of bytes that
/// carry their length.
package struct ByteWriter {
  package var data = Data()

  package init(capacity: Int = 128) { data.reserveCapacity(capacity) }

  package mutating func integer<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.bigEndian) { data.append(contentsOf: $0) }
  }

  /// Bytes of a length that the layout fixes.
  package mutating func fixed(_ bytes: some DataProtocol) { data.append(contentsOf: bytes) }

  /// Bytes preceded by their count as 32 bits.
  package mutating func counted(_ bytes: some DataProtocol) {
    integer(UInt32(bytes.count))
    data.append(contentsOf: bytes)
  }
}

/// Reads what ``ByteWriter`` wrote; anything else is an error that names the offset.
package struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private let name: String
  package private(set) var offset = 0

  /// - Parameter name: What is read, for error messages.
  package init(_ bytes: UnsafeRawBufferPointer, name: String) {
    self.bytes = bytes
    self.name = name
  }

  package var remaining: Int { bytes.count - offset }

  package mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) throws -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw cutOff() }
    defer { offset += size }
    return T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// The next `count` bytes, which live as long as the buffer that is read.
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
        "\(name) claims \(count) bytes at offset \(start), where at most \(limit) are allowed.")
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
