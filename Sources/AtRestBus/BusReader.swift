import AtRestCrypto

/// Reads values of D-Bus from bytes, with every check that the specification requires.
///
/// Source: D-Bus Specification 0.43, *Marshaling*.
struct BusReader {
  /// The size of the largest array.
  static let largestArray = 1 << 26
  /// The deepest nesting of values, those in variants included.
  static let deepest = 64

  let bytes: UnsafeRawBufferPointer
  let isBigEndian: Bool
  /// The end of what may be read.
  var end: Int
  var offset = 0
  /// The number of values that may still be read, because a value takes more memory than its bytes.
  private(set) var valuesLeft: Int

  init(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool, mostValues: Int) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
    end = bytes.count
    valuesLeft = mostValues
  }

  /// Goes to the next multiple of a number of bytes. What is skipped has to be zeros.
  mutating func align(_ size: Int) throws {
    let next = (offset + size - 1) / size * size
    guard next <= end, bytes[offset..<next].allSatisfy({ $0 == 0 }) else {
      throw BusError.malformed
    }
    offset = next
  }

  mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) throws
    -> Integer
  {
    let size = MemoryLayout<Integer>.size
    try align(size)
    guard end - offset >= size else { throw BusError.malformed }
    let value = bytes.loadUnaligned(fromByteOffset: offset, as: Integer.self)
    offset += size
    return isBigEndian ? Integer(bigEndian: value) : Integer(littleEndian: value)
  }

  private mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, end - offset >= count else { throw BusError.malformed }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// Reads UTF-8 that a zero ends, and that has no other.
  private mutating func string(count: Int) throws -> String {
    let text = try take(count)
    guard try take(1)[0] == 0, !text.contains(0), let text = String(validating: text, as: UTF8.self)
    else { throw BusError.malformed }
    return text
  }

  mutating func text() throws -> String { try string(count: Int(try integer(UInt32.self))) }

  mutating func path() throws -> String {
    let path = try text()
    guard BusPath.isValid(path) else { throw BusError.malformed }
    return path
  }

  mutating func signature() throws -> String {
    try string(count: Int(try integer(UInt8.self)))
  }

  /// Reads a value of a type.
  mutating func value(_ type: BusType, depth: Int = 0) throws -> BusValue {
    guard depth <= Self.deepest, valuesLeft > 0 else { throw BusError.malformed }
    valuesLeft -= 1
    switch type {
    case .byte: return .byte(try integer())
    case .boolean:
      let number = try integer(UInt32.self)
      guard number <= 1 else { throw BusError.malformed }
      return .boolean(number == 1)
    case .int16: return .int16(try integer())
    case .uint16: return .uint16(try integer())
    case .int32: return .int32(try integer())
    case .uint32: return .uint32(try integer())
    case .int64: return .int64(try integer())
    case .uint64: return .uint64(try integer())
    case .double: return .double(Double(bitPattern: try integer()))
    case .text: return .text(try text())
    case .path: return .path(try path())
    case .signature:
      let signature = try signature()
      _ = try BusType.types(of: signature)
      return .signature(signature)
    case .descriptor: return .descriptor(try integer())
    case .variant:
      let types = try BusType.types(of: try signature())
      guard types.count == 1 else { throw BusError.malformed }
      return .variant(try value(types[0], depth: depth + 1))
    case .array(let element): return try array(of: element, depth: depth)
    case .structure(let fields):
      try align(8)
      return .structure(try fields.map { try value($0, depth: depth + 1) })
    case .entry(let key, let value):
      try align(8)
      return .entry(
        try self.value(key, depth: depth + 1), try self.value(value, depth: depth + 1))
    }
  }

  private mutating func array(of element: BusType, depth: Int) throws -> BusValue {
    let size = Int(try integer(UInt32.self))
    // The space before the first element does not count, and is there without an element too.
    try align(element.alignment)
    guard size <= Self.largestArray, end - offset >= size else { throw BusError.malformed }
    if element == .byte { return .bytes(BusBytes(copying: try take(size))) }
    let outer = end
    end = offset + size
    defer { end = outer }
    var values: [BusValue] = []
    while offset < end { values.append(try value(element, depth: depth + 1)) }
    return .array(element, values)
  }
}

/// The paths of objects.
@_spi(Tools) public enum BusPath {
  /// Returns true for a path: `/`, or parts of letters, digits and `_` with a slash before each.
  public static func isValid(_ path: String) -> Bool {
    if path == "/" { return true }
    let bytes = path.utf8
    guard bytes.first == UInt8(ascii: "/"), bytes.last != UInt8(ascii: "/") else { return false }
    var last: UInt8 = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "/"): if last == byte { return false }
      case UInt8(ascii: "_"): break
      default: if !isAlphanumeric(byte) { return false }
      }
      last = byte
    }
    return true
  }

  /// Returns a name as one part of a path: every byte but letters and digits as `_` and two hexadecimal digits, and
  /// `_` alone for the empty name. gnome-keyring writes names in this form, and clients read them.
  public static func part(_ name: String) -> String {
    guard !name.isEmpty else { return "_" }
    return name.utf8.map { byte in
      isAlphanumeric(byte)
        ? String(UnicodeScalar(byte))
        : "_" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }

  /// Returns the name in a part of a path. A `_` without two digits stands for nothing.
  public static func name(_ part: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "_") {
        bytes.append(byte)
      } else if let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
