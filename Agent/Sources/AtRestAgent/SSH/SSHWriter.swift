@_spi(Tools) import AtRestCrypto
import Foundation

/// Writes the types of the SSH protocol (RFC 4251, section 5).
struct SSHWriter {
  private var writer = ByteWriter()

  var data: Data { writer.data }

  mutating func byte(_ value: UInt8) { writer.integer(value) }
  mutating func integer(_ value: UInt32) { writer.integer(value) }
  mutating func string(_ bytes: some ContiguousBytes) { writer.counted(bytes) }
  mutating func string(_ text: String) { writer.counted(utf8: text) }
}
