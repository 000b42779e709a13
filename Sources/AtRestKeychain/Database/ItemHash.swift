@_spi(Tools) import AtRestCrypto
import Foundation

/// The keyed hash of a primary key in its access group, 16 bytes.
struct ItemHash: Equatable {
  /// The first eight bytes, by which the index identifies the item.
  var key: UInt64
  private var rest: UInt64

  /// Reads a hash. A hash of another size was modified in the row; the result then matches no item.
  init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else {
      (key, rest) = (0, 0)
      return
    }
    key = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    rest = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try Swift.withUnsafeBytes(of: (key.bigEndian, rest.bigEndian)) { try body($0) }
  }

  func write(to writer: inout ByteWriter) {
    writer.integer(key)
    writer.integer(rest)
  }
}
