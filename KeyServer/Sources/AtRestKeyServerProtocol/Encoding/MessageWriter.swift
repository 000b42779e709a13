@_spi(Tools) import AtRestCrypto
import Foundation

/// Writes the layouts of messages and rows: big-endian integers, and bytes with or without their
/// count.
package struct MessageWriter {
  private var writer = ByteWriter()

  package init() {}

  /// The bytes written so far.
  package var bytes: [UInt8] { writer.bytes }
  package var data: Data { writer.data }

  package mutating func integer<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.bigEndian) { writer.fixed($0) }
  }

  /// Appends bytes whose count is fixed by the layout.
  package mutating func fixed(_ data: some ContiguousBytes) { writer.fixed(data) }

  /// Appends a secret whose count is fixed by the layout. Erase the result.
  package mutating func fixed(_ secret: borrowing SecretBytes) {
    secret.withUnsafeBytes { writer.fixed($0) }
  }

  /// Appends bytes preceded by their count as 16 bits.
  package mutating func counted(_ data: some ContiguousBytes) {
    data.withUnsafeBytes {
      precondition($0.count <= UInt16.max, "A message holds at most 65,535 bytes in one value.")
      integer(UInt16($0.count))
      writer.fixed($0)
    }
  }

  /// Appends a string's UTF-8 bytes, preceded by their count as 16 bits.
  package mutating func counted(utf8 string: String) { counted(Array(string.utf8)) }
}
