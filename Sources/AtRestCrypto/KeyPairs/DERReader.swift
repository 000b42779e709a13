/// A reader of DER that does not copy content, which may be secret.
@_spi(Tools) public struct DERReader {
  private var rest: Slice<UnsafeRawBufferPointer>

  /// Creates a reader.
  public init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  public var isAtEnd: Bool { rest.isEmpty }

  /// The tag of the next element, or nil at the end.
  public var tag: UInt8? { rest.first }

  /// Reads the content of the next element, which must have a given tag.
  public mutating func read(_ expected: UInt8) throws -> UnsafeRawBufferPointer {
    guard let tag = rest.popFirst() else { throw DERError("it ends too early") }
    guard tag == expected else { throw DERError("it has another structure") }
    let count = try readLength()
    guard count <= rest.count else { throw DERError("it is cut off") }
    defer { rest = rest.dropFirst(count) }
    return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
  }

  /// Returns a reader of the next element's content.
  public mutating func enter(_ expected: UInt8) throws -> DERReader {
    DERReader(try read(expected))
  }

  public mutating func readIfPresent(_ expected: UInt8) throws -> UnsafeRawBufferPointer? {
    tag == expected ? try read(expected) : nil
  }

  /// Reads a bit string of whole bytes.
  public mutating func readBits(_ expected: UInt8 = DER.bitString) throws -> UnsafeRawBufferPointer
  {
    let content = try read(expected)
    guard content.first == 0 else { throw DERError("a bit string is not of whole bytes") }
    return UnsafeRawBufferPointer(rebasing: content.dropFirst())
  }

  /// Reads an integer of one byte, such as a version number.
  public mutating func readVersion() throws -> UInt8 {
    let content = try read(DER.integer)
    guard content.count == 1 else { throw DERError("it has another structure") }
    return content[0]
  }

  public func finish() throws {
    guard isAtEnd else { throw DERError("bytes follow it") }
  }

  private mutating func readLength() throws -> Int {
    guard let first = rest.popFirst() else { throw DERError("it ends too early") }
    if first < 0x80 { return Int(first) }
    // Three bytes reach 16 MiB, more than any key needs. DER allows only the shortest length.
    let size = Int(first & 0x7F)
    guard (1...3).contains(size), rest.count >= size else {
      throw DERError("a length is not DER")
    }
    let length = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(size)
    guard length >= 0x80, length >> (8 * (size - 1)) > 0 else {
      throw DERError("a length is not DER")
    }
    return length
  }
}
