import CAtRestSystem
import Foundation

/// Writes the binary layouts of `docs/Formats.md`: big-endian integers, and runs of bytes that
/// carry their length.
///
/// Every read and write creates several writers for its contexts and hashes. The bytes are
/// therefore an array, and common types have methods of their own: generic methods are not
/// specialised across modules.
package struct ByteWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  package var data: Data { Data(bytes) }

  package init(capacity: Int = 128) { bytes.reserveCapacity(capacity) }

  package mutating func integer(_ value: UInt8) { bytes.append(value) }
  package mutating func integer(_ value: UInt16) { append(value) }
  package mutating func integer(_ value: UInt32) { append(value) }
  package mutating func integer(_ value: UInt64) { append(value) }
  package mutating func integer(_ value: Int64) { append(value) }

  private mutating func append<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes whose length the layout fixes.
  package mutating func fixed(_ bytes: some ContiguousBytes) {
    bytes.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
  }

  package mutating func fixed(_ bytes: [UInt8]) { self.bytes.append(contentsOf: bytes) }

  package mutating func fixed(_ bytes: UnsafeRawBufferPointer) {
    self.bytes.append(contentsOf: bytes)
  }

  package mutating func fixed(_ bytes: Data) {
    bytes.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
  }

  /// Appends bytes preceded by their count as 32 bits.
  package mutating func counted(_ bytes: some ContiguousBytes) {
    bytes.withUnsafeBytes {
      integer(UInt32($0.count))
      self.bytes.append(contentsOf: $0)
    }
  }

  /// Appends a string's UTF-8 bytes without their count.
  package mutating func fixed(utf8 string: String) { bytes.append(contentsOf: string.utf8) }

  /// Appends a string's UTF-8 bytes, preceded by their count as 32 bits.
  package mutating func counted(utf8 string: String) {
    integer(UInt32(string.utf8.count))
    bytes.append(contentsOf: string.utf8)
  }

  /// Erases the bytes, for a writer that held a secret.
  package mutating func erase() {
    bytes.withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { atrest_erase(start, bytes.count) }
    }
    bytes = []
  }
}

/// Reads the layout of ``ByteWriter``. Any other input raises an error that names the offset.
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

  /// Returns the next `count` bytes, which are valid as long as the buffer.
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
