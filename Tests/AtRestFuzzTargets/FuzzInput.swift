import Foundation

/// Takes an input apart. Missing bytes are zero or empty, so every input has a meaning.
struct FuzzInput {
  private(set) var rest: Data

  init(_ input: Data) { rest = input }

  mutating func bytes(_ count: Int) -> Data {
    defer { rest = rest.dropFirst(count) }
    return Data(rest.prefix(count))
  }

  mutating func integer<T: FixedWidthInteger & UnsignedInteger>(_: T.Type = T.self) -> T {
    bytes(MemoryLayout<T>.size).reduce(0) { $0 << 8 | T($1) }
  }

  /// Returns bytes preceded by their count as 16 bits.
  mutating func counted() -> Data { bytes(Int(integer(UInt16.self))) }

  /// Returns bytes with their count, for seeds.
  static func counted(_ bytes: Data) -> Data {
    Data([UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]) + bytes
  }
}
