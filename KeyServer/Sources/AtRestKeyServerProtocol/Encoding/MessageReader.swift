@_spi(Tools) import AtRestCrypto
import Foundation

/// Reads the layouts that ``MessageWriter`` writes. Every count has a limit, and no read goes past
/// the end.
package struct MessageReader {
  private var reader: ByteReader

  /// Creates a reader.
  ///
  /// - Parameter name: The name of the input, for error messages.
  package init(_ bytes: UnsafeRawBufferPointer, name: String) {
    reader = ByteReader(bytes, name: name, remedy: AtRestError.otherVersion)
  }

  /// Decodes the whole of some bytes, and refuses bytes that are left over.
  package static func read<Result: ~Copyable>(
    _ data: some ContiguousBytes, name: String,
    _ body: (inout MessageReader) throws -> Result
  ) throws -> Result {
    var result: Result?
    try data.withUnsafeBytes { bytes in
      var reader = MessageReader(bytes, name: name)
      result = try body(&reader)
      try reader.reader.finish()
    }
    return result!
  }

  package var remaining: Int { reader.remaining }

  package mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) throws -> T {
    T(bigEndian: try view(MemoryLayout<T>.size).loadUnaligned(as: T.self))
  }

  /// Reads a byte that is 0 or 1.
  package mutating func flag() throws -> Bool {
    switch try integer(UInt8.self) {
    case 0: false
    case 1: true
    default: throw reader.damaged("has a flag that is neither 0 nor 1")
    }
  }

  /// The error for input that has or claims something that it must not.
  func damaged(_ fault: String) -> AtRestError { reader.damaged(fault) }

  /// Returns the next `count` bytes, which stay valid as long as the reader's buffer.
  package mutating func view(_ count: Int) throws -> UnsafeRawBufferPointer {
    try reader.fixed(count)
  }

  package mutating func fixed(_ count: Int) throws -> Data { Data(try view(count)) }

  package mutating func secret(_ count: Int) throws -> SecretBytes {
    SecretBytes(copying: try view(count))
  }

  package mutating func counted(limit: Int) throws -> Data {
    let count = Int(try integer(UInt16.self))
    guard count <= limit else {
      throw reader.damaged("claims a value of \(count) bytes, but at most \(limit) are allowed")
    }
    return try fixed(count)
  }

  /// Reads text of at most `limit` bytes of valid UTF-8.
  package mutating func text(limit: Int) throws -> String {
    guard let text = String(validating: try counted(limit: limit), as: UTF8.self) else {
      throw reader.damaged("has text that is not UTF-8")
    }
    return text
  }
}

extension AtRestError {
  /// Creates the error for bytes that are not what they must be.
  package init(damaged message: String) {
    self.init(.damaged, message, remedy: Self.otherVersion)
  }

  package static let otherVersion = "Use a client and a server of the same version."
}
