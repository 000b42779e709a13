/// The subset of DER (ITU-T X.690) that key formats use.
enum DER {
  static let integer: UInt8 = 0x02
  static let bitString: UInt8 = 0x03
  static let octetString: UInt8 = 0x04
  static let null: UInt8 = 0x05
  static let objectIdentifier: UInt8 = 0x06
  static let sequence: UInt8 = 0x30
  /// The context-specific tags `[0]` and `[1]`, constructed, and `[1]` as an implicit bit string.
  static let context0: UInt8 = 0xA0
  static let context1: UInt8 = 0xA1
  static let implicit1: UInt8 = 0x81

  /// Returns the tag and length that precede `count` bytes of content.
  static func header(_ tag: UInt8, count: Int) -> [UInt8] {
    if count < 0x80 { return [tag, UInt8(count)] }
    var length: [UInt8] = []
    var rest = count
    while rest > 0 {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length
  }

  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    header(tag, count: content.count) + content
  }
}

/// The reason why an encoding is not accepted, as the middle of a sentence that shows no content.
struct DERError: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// A reader of DER that does not copy content, which may be secret.
struct DERReader {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// The tag of the next element, or nil at the end.
  var tag: UInt8? { rest.first }

  /// Reads the content of the next element, which must have a given tag.
  mutating func read(_ expected: UInt8) throws -> UnsafeRawBufferPointer {
    guard let tag = rest.popFirst() else { throw DERError("it ends too early") }
    guard tag == expected else { throw DERError("it has another structure") }
    let count = try readLength()
    guard count <= rest.count else { throw DERError("it is cut off") }
    defer { rest = rest.dropFirst(count) }
    return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
  }

  /// Returns a reader of the next element's content.
  mutating func enter(_ expected: UInt8) throws -> DERReader { DERReader(try read(expected)) }

  mutating func readIfPresent(_ expected: UInt8) throws -> UnsafeRawBufferPointer? {
    tag == expected ? try read(expected) : nil
  }

  /// Reads a bit string of whole bytes.
  mutating func readBits(_ expected: UInt8 = DER.bitString) throws -> UnsafeRawBufferPointer {
    let content = try read(expected)
    guard content.first == 0 else { throw DERError("a bit string is not of whole bytes") }
    return UnsafeRawBufferPointer(rebasing: content.dropFirst())
  }

  /// Reads an integer of one byte, such as a version number.
  mutating func readVersion() throws -> UInt8 {
    let content = try read(DER.integer)
    guard content.count == 1 else { throw DERError("it has another structure") }
    return content[0]
  }

  func finish() throws {
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
