import AtRestCrypto

/// Reads the types of the SSH protocol (RFC 4251, section 5).
struct SSHReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The error for bytes of another form.
  static let malformed = AtRestError(
    .damaged, "A message of the ssh-agent protocol is malformed.",
    remedy: "Use a client that keeps to the protocol.")

  var isAtEnd: Bool { offset == bytes.count }

  mutating func byte() throws -> UInt8 {
    guard offset < bytes.count else { throw Self.malformed }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func integer() throws -> UInt32 {
    guard bytes.count - offset >= 4 else { throw Self.malformed }
    defer { offset += 4 }
    return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  mutating func string() throws -> UnsafeRawBufferPointer {
    let count = Int(try integer())
    guard count <= bytes.count - offset else { throw Self.malformed }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  mutating func text() throws -> String {
    guard let text = String(validating: try string(), as: UTF8.self) else { throw Self.malformed }
    return text
  }

  func finish() throws { guard isAtEnd else { throw Self.malformed } }
}
