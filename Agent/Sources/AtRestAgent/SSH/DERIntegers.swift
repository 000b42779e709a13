import AtRestCrypto
import Foundation

/// A sequence of two integers in DER: an ECDSA signature, or an RSA public key.
///
/// The contents of an integer are also its form in SSH (`mpint`).
enum DERIntegers {
  /// Returns the contents of the two integers.
  static func pair(in data: Data) throws -> (Data, Data) {
    try data.withUnsafeBytes { bytes in
      var offset = 0
      func length() throws -> Int {
        guard offset < bytes.count else { throw SSHReader.malformed }
        let first = bytes[offset]
        offset += 1
        guard first >= 0x80 else { return Int(first) }
        var value = 0
        guard (0x81...0x83).contains(first) else { throw SSHReader.malformed }
        for _ in 0..<Int(first & 0x7F) {
          guard offset < bytes.count else { throw SSHReader.malformed }
          value = value << 8 | Int(bytes[offset])
          offset += 1
        }
        return value
      }
      func tag(_ tag: UInt8) throws {
        guard offset < bytes.count, bytes[offset] == tag else { throw SSHReader.malformed }
        offset += 1
      }
      func integer() throws -> Data {
        try tag(2)
        let count = try length()
        guard count > 0, count <= bytes.count - offset else { throw SSHReader.malformed }
        defer { offset += count }
        return Data(bytes[offset..<offset + count])
      }
      try tag(0x30)
      guard try length() == bytes.count - offset else { throw SSHReader.malformed }
      let first = try integer()
      let second = try integer()
      guard offset == bytes.count else { throw SSHReader.malformed }
      return (first, second)
    }
  }

  /// Returns the sequence of short integers, each in the form of SSH.
  static func sequence(_ integers: [Data]) -> Data {
    func element(_ tag: UInt8, _ contents: Data) -> Data {
      let count = contents.count
      var length = [UInt8(count & 0xFF)]
      if count >= 0x100 {
        length = [0x82, UInt8(count >> 8 & 0xFF)] + length
      } else if count >= 0x80 {
        length = [0x81] + length
      }
      return Data([tag] + length) + contents
    }
    return element(0x30, integers.reduce(Data()) { $0 + element(2, $1) })
  }
}
