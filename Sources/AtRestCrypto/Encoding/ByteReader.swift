import Foundation

/// Reads the layout that ``ByteWriter`` writes. Malformed input raises ``AtRestError/Code/damaged``
/// with the offset.
@_spi(Tools) public struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private let name: String
  private let remedy: String?
  public private(set) var offset = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - name: The name of the input, for error messages.
  ///   - remedy: The way out, for error messages, or nil for that of damaged files.
  public init(_ bytes: UnsafeRawBufferPointer, name: String, remedy: String? = nil) {
    self.bytes = bytes
    self.name = name
    self.remedy = remedy
  }

  public var remaining: Int { bytes.count - offset }

  public mutating func integer(_: UInt8.Type = UInt8.self) throws -> UInt8 { try next() }
  public mutating func integer(_: UInt16.Type = UInt16.self) throws -> UInt16 { try next() }
  public mutating func integer(_: UInt32.Type = UInt32.self) throws -> UInt32 { try next() }
  public mutating func integer(_: UInt64.Type = UInt64.self) throws -> UInt64 { try next() }
  public mutating func integer(_: Int64.Type = Int64.self) throws -> Int64 { try next() }

  private mutating func next<T: FixedWidthInteger>() throws -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw cutOff() }
    defer { offset += size }
    return T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Returns the next `count` bytes, which stay valid as long as the reader's buffer.
  public mutating func fixed(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, remaining >= count else { throw cutOff() }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  public mutating func counted(limit: Int) throws -> UnsafeRawBufferPointer {
    let start = offset
    let count = Int(try integer(UInt32.self))
    guard count <= limit else {
      throw damaged("claims \(count) bytes at offset \(start), but at most \(limit) are allowed")
    }
    return try fixed(count)
  }

  public func finish() throws {
    guard remaining == 0 else {
      throw damaged("has \(remaining) bytes too many at offset \(offset)")
    }
  }

  private func cutOff() -> AtRestError {
    damaged("ends at offset \(bytes.count), in the middle of a value")
  }

  /// Returns the error for an input of another form, with words that follow its name.
  public func damaged(_ what: String) -> AtRestError {
    .damaged("\(name) \(what).", remedy: remedy)
  }
}
