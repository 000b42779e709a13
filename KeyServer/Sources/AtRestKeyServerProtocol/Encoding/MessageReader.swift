import AtRestCrypto
import Foundation

/// Reads the layouts that ``MessageWriter`` writes. Every count has a limit, and no read goes past
/// the end.
package struct MessageReader {
  private let bytes: UnsafeRawBufferPointer
  private let name: String
  private var offset = 0

  /// Creates a reader.
  ///
  /// - Parameter name: The name of the input, for error messages.
  package init(_ bytes: UnsafeRawBufferPointer, name: String) {
    self.bytes = bytes
    self.name = name
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
      try reader.finish()
    }
    return result!
  }

  package var remaining: Int { bytes.count - offset }

  package mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) throws -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw cutOff() }
    defer { offset += size }
    return T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Reads a byte that is 0 or 1.
  package mutating func flag() throws -> Bool {
    switch try integer(UInt8.self) {
    case 0: false
    case 1: true
    default: throw AtRestError(damaged: "\(name) has a flag that is neither 0 nor 1.")
    }
  }

  /// Returns the next `count` bytes, which stay valid as long as the reader's buffer.
  package mutating func view(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, remaining >= count else { throw cutOff() }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  package mutating func fixed(_ count: Int) throws -> Data { Data(try view(count)) }

  package mutating func secret(_ count: Int) throws -> SecretBytes {
    SecretBytes(copying: try view(count))
  }

  package mutating func counted(limit: Int) throws -> Data {
    let count = Int(try integer(UInt16.self))
    guard count <= limit else {
      throw AtRestError(
        damaged: "\(name) claims a value of \(count) bytes, but at most \(limit) are allowed.")
    }
    return try fixed(count)
  }

  /// Reads text of at most `limit` bytes of valid UTF-8.
  package mutating func text(limit: Int) throws -> String {
    guard let text = String(validating: try counted(limit: limit), as: UTF8.self) else {
      throw AtRestError(damaged: "\(name) has text that is not UTF-8.")
    }
    return text
  }

  private func finish() throws {
    guard remaining == 0 else {
      throw AtRestError(damaged: "\(name) has \(remaining) bytes too many.")
    }
  }

  private func cutOff() -> AtRestError {
    AtRestError(damaged: "\(name) ends in the middle of a value.")
  }
}

extension AtRestError {
  /// Creates the error for bytes that are not what they must be.
  package init(damaged message: String) {
    self.init(
      .damaged, message, remedy: "Use a client and a server of the same version.")
  }
}
