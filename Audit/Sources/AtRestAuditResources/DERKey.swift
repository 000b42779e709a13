import AtRestAuditModel
import AtRestFormats
import Foundation

/// Recognises keys in DER by the beginning of their structure.
enum DERKey {
  static func content(of bytes: [UInt8]) -> KeyFile.Content? {
    guard let outer = element(bytes, at: 0), outer.tag == 0x30,
      let first = element(bytes, at: outer.start)
    else { return nil }
    guard first.tag == 0x02, first.count == 1 else {
      // An encrypted key is an algorithm and an octet string. A public key is an algorithm and a
      // bit string.
      guard first.tag == 0x30, let second = element(bytes, at: first.start + first.count),
        second.tag == 0x04, second.start + second.count == outer.start + outer.count
      else { return nil }
      return .protectedKey
    }
    guard let second = element(bytes, at: first.start + first.count) else { return nil }
    switch (bytes[first.start], second.tag) {
    case (3, 0x30): return .keyStore
    case (0, 0x30):
      // PKCS#8: version, algorithm, key.
      let third = element(bytes, at: second.start + second.count)
      return third?.tag == 0x04 ? .privateKey : nil
    case (0, 0x02): return .privateKey
    case (1, 0x04): return .privateKey
    default: return nil
    }
  }

  private static func element(
    _ bytes: [UInt8], at offset: Int
  ) -> (tag: UInt8, start: Int, count: Int)? {
    guard offset + 2 <= bytes.count else { return nil }
    let length = bytes[offset + 1]
    if length < 0x80 { return (bytes[offset], offset + 2, Int(length)) }
    let size = Int(length & 0x7F)
    guard (1...4).contains(size), offset + 2 + size <= bytes.count else { return nil }
    var count = 0
    for byte in bytes[offset + 2..<offset + 2 + size] { count = count << 8 | Int(byte) }
    return (bytes[offset], offset + 2 + size, count)
  }
}
