import Foundation

/// Writes the binary layouts of `docs/Formats.md`: big-endian integers, and bytes with or without
/// their count.
///
/// Every read or write of a store creates several writers, for contexts and hashes, so a writer
/// must be fast. The bytes are an array, and common types have their own methods, because generic
/// methods are not specialised across modules.
@_spi(Tools) public struct ByteWriter {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []
  public var data: Data { Data(bytes) }

  /// Creates an empty writer with memory for some bytes.
  public init(capacity: Int = 128) { bytes.reserveCapacity(capacity) }

  /// Makes room for more bytes. A writer may hold secrets, so memory that it outgrows is erased.
  private mutating func makeRoom(for count: Int) {
    guard bytes.capacity - bytes.count < count else { return }
    var larger: [UInt8] = []
    larger.reserveCapacity(max(2 * bytes.capacity, bytes.count + count))
    larger.append(contentsOf: bytes)
    erase()
    bytes = larger
  }

  private mutating func append(contentsOf more: UnsafeRawBufferPointer) {
    makeRoom(for: more.count)
    bytes.append(contentsOf: more)
  }

  public mutating func integer(_ value: UInt8) {
    makeRoom(for: 1)
    bytes.append(value)
  }
  public mutating func integer(_ value: UInt16) { append(value) }
  public mutating func integer(_ value: UInt32) { append(value) }
  public mutating func integer(_ value: UInt64) { append(value) }
  public mutating func integer(_ value: Int64) { append(value) }

  private mutating func append<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends bytes whose count is fixed by the layout.
  public mutating func fixed(_ bytes: some ContiguousBytes) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }

  public mutating func fixed(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }

  public mutating func fixed(_ bytes: UnsafeRawBufferPointer) { append(contentsOf: bytes) }

  public mutating func fixed(_ bytes: Data) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }

  /// Appends bytes preceded by their count as 32 bits.
  public mutating func counted(_ bytes: some ContiguousBytes) {
    bytes.withUnsafeBytes {
      integer(UInt32($0.count))
      append(contentsOf: $0)
    }
  }

  /// Appends a string's UTF-8 bytes without their count.
  public mutating func fixed(utf8 string: String) {
    makeRoom(for: string.utf8.count)
    bytes.append(contentsOf: string.utf8)
  }

  /// Appends a string's UTF-8 bytes, preceded by their count as 32 bits.
  public mutating func counted(utf8 string: String) {
    integer(UInt32(string.utf8.count))
    fixed(utf8: string)
  }

  /// Erases the bytes of a writer that held a secret.
  public mutating func erase() {
    bytes.withUnsafeMutableBytes { $0.erase() }
    bytes = []
  }
}
