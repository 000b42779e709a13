import Foundation

/// Writes the types of the SSH protocol (RFC 4251, section 5).
struct SSHWriter {
  private(set) var data = Data()

  mutating func byte(_ value: UInt8) { data.append(value) }

  mutating func integer(_ value: UInt32) {
    withUnsafeBytes(of: value.bigEndian) { data.append(contentsOf: $0) }
  }

  mutating func string(_ bytes: some Collection<UInt8>) {
    integer(UInt32(bytes.count))
    data.append(contentsOf: bytes)
  }

  mutating func string(_ text: String) { string(Array(text.utf8)) }
}
