import AtRestAuditModel
import AtRestFormats
import Foundation

/// A file that may hold a private key, and what it holds.
package struct KeyFile: Sendable {
  package enum Content: String, Sendable {
    /// A private key that anybody can read.
    case privateKey = "a private key"
    /// A private key under a passphrase.
    case protectedKey = "a private key under a passphrase"
    /// A store of keys under a password: PKCS#12, Java, Bouncy Castle.
    case keyStore = "a key store"
  }

  package let path: String
  /// Nothing if there is no private key in it.
  package let content: Content?
  /// Where it begins.
  package let position: Position

  package init(path: String, content: Content?, position: Position = Position(line: 1, column: 1)) {
    self.path = path
    self.content = content
    self.position = position
  }

  /// Endings and names of files that may hold keys.
  static func isKeyFile(_ path: String) -> Bool {
    let name = ResourcePath.name(of: path)
    return [
      "pem", "key", "p12", "pfx", "p8", "der", "pkcs8", "pk8", "jks", "keystore", "bks", "ppk",
    ].contains(ResourcePath.ending(of: path))
      || ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"].contains(name)
  }

  /// Tells by the bytes what the file holds.
  package static func read(_ data: Data, path: String) -> KeyFile {
    let bytes = [UInt8](data.prefix(1 << 20))
    if let found = armoured(bytes, path: path) { return found }
    let content: Content? =
      switch bytes {
      case let bytes where bytes.starts(with: [0xFE, 0xED, 0xFE, 0xED]): .keyStore
      case let bytes where bytes.starts(with: Array("PuTTY-User-Key-File".utf8)): .privateKey
      default: DERKey.content(of: bytes)
      }
    return KeyFile(path: path, content: content)
  }

  /// The line `-----BEGIN … PRIVATE KEY-----`.
  private static func armoured(_ bytes: [UInt8], path: String) -> KeyFile? {
    let text = String(decoding: bytes, as: UTF8.self)
    var number = 0
    var position: Position?
    var content = Content.privateKey
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      if position == nil {
        guard line.hasPrefix("-----BEGIN "), line.trimmed.hasSuffix("PRIVATE KEY-----") else {
          continue
        }
        position = Position(line: number, column: 1)
        if line.contains("ENCRYPTED") { content = .protectedKey }
      } else {
        // The header of an old key tells that it is encrypted; `Proc-Type` comes first.
        if line.hasPrefix("Proc-Type:"), line.contains("ENCRYPTED") { content = .protectedKey }
        break
      }
    }
    return position.map { KeyFile(path: path, content: content, position: $0) }
  }
}

/// Tells keys in DER by how their structure begins.
enum DERKey {
  static func content(of bytes: [UInt8]) -> KeyFile.Content? {
    guard let outer = element(bytes, at: 0), outer.tag == 0x30,
      let first = element(bytes, at: outer.start)
    else { return nil }
    guard first.tag == 0x02, first.count == 1 else {
      // An encrypted key is an algorithm and a string of bytes; a public one has a string of bits.
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
