@_spi(Tools) import AtRestCrypto

/// Reads the types of the SSH protocol (RFC 4251, section 5).
struct SSHReader {
  private var reader: ByteReader

  init(_ bytes: UnsafeRawBufferPointer) {
    reader = ByteReader(
      bytes, name: "The message of the ssh-agent protocol", remedy: Self.malformed.remedy)
  }

  /// The error for bytes of another form.
  static let malformed = AtRestError(
    .damaged, "A message of the ssh-agent protocol is malformed.",
    remedy: "Use a client that keeps to the protocol.")

  var isAtEnd: Bool { reader.remaining == 0 }

  mutating func byte() throws -> UInt8 { try reader.integer() }
  mutating func integer() throws -> UInt32 { try reader.integer() }
  mutating func string() throws -> UnsafeRawBufferPointer { try reader.counted(limit: .max) }

  mutating func text() throws -> String {
    guard let text = String(validating: try string(), as: UTF8.self) else { throw Self.malformed }
    return text
  }

  func finish() throws { try reader.finish() }
}
