@_spi(Tools) import AtRestCrypto

/// Writes values of D-Bus as little-endian bytes.
///
/// The bytes may contain secrets. They are overwritten when the writer grows, and by ``erase()``.
struct BusWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

  /// Appends bytes. Where there is no room, they move, and those that they leave are overwritten.
  private mutating func append(_ more: UnsafeRawBufferPointer) {
    if bytes.capacity - bytes.count < more.count {
      var larger: [UInt8] = []
      larger.reserveCapacity(2 * bytes.count + more.count)
      larger.append(contentsOf: bytes)
      erase()
      bytes = larger
    }
    bytes.append(contentsOf: more)
  }

  private mutating func append(_ more: [UInt8]) { more.withUnsafeBytes { append($0) } }

  mutating func erase() {
    bytes.withUnsafeMutableBytes { $0.erase() }
    bytes = []
  }

  mutating func align(_ size: Int) {
    let rest = bytes.count % size
    if rest > 0 { append([UInt8](repeating: 0, count: size - rest)) }
  }

  mutating func integer(_ value: some FixedWidthInteger) {
    align(value.bitWidth / 8)
    withUnsafeBytes(of: value.littleEndian) { append($0) }
  }

  mutating func text(_ text: String) {
    integer(UInt32(text.utf8.count))
    append(Array(text.utf8) + [0])
  }

  mutating func signature(_ letters: String) {
    append([UInt8(letters.utf8.count)] + Array(letters.utf8) + [0])
  }

  mutating func value(_ value: BusValue) {
    switch value {
    case .byte(let value): integer(value)
    case .boolean(let value): integer(UInt32(value ? 1 : 0))
    case .int16(let value): integer(value)
    case .uint16(let value): integer(value)
    case .int32(let value): integer(value)
    case .uint32(let value), .descriptor(let value): integer(value)
    case .int64(let value): integer(value)
    case .uint64(let value): integer(value)
    case .double(let value): integer(value.bitPattern)
    case .text(let value), .path(let value): text(value)
    case .signature(let value): signature(value)
    case .variant(let value):
      signature(value.type.letters)
      self.value(value)
    case .bytes(let value):
      integer(UInt32(value.count))
      value.withUnsafeBytes { append($0) }
    case .array(let element, let values):
      let place = array(of: element)
      let start = bytes.count
      values.forEach { self.value($0) }
      setSize(bytes.count - start, at: place)
    case .structure(let fields):
      align(8)
      fields.forEach { self.value($0) }
    case .entry(let key, let value):
      align(8)
      self.value(key)
      self.value(value)
    }
  }

  /// Begins an array, and returns the place of its size.
  private mutating func array(of element: BusType) -> Int {
    integer(UInt32(0))
    defer { align(element.alignment) }
    return bytes.count - 4
  }

  private mutating func setSize(_ size: Int, at place: Int) {
    withUnsafeBytes(of: UInt32(size).littleEndian) { size in
      for index in 0..<4 { bytes[place + index] = size[index] }
    }
  }
}
