import AtRestAuditModel
import AtRestFormats
import Foundation

/// A file that may contain a private key.
package struct KeyFile: Sendable {
  /// The kind of key in a file.
  package enum Content: String, Sendable {
    /// A private key that anyone can read.
    case privateKey = "a private key"
    /// A private key that is encrypted with a passphrase.
    case protectedKey = "a private key that is encrypted with a passphrase"
    /// A key store with a password: PKCS#12, Java or Bouncy Castle.
    case keyStore = "a key store"
  }

  package let path: String
  /// The kind of key in the file, or nil if it contains no private key.
  package let content: Content?
  /// The position where the key begins.
  package let position: Position

  package init(path: String, content: Content?, position: Position = Position(line: 1, column: 1)) {
    self.path = path
    self.content = content
    self.position = position
  }

  /// Returns true if a file may contain a key, according to its extension or name.
  static func isKeyFile(_ path: String) -> Bool {
    let name = ResourcePath.name(of: path)
    return [
      "pem", "key", "p12", "pfx", "p8", "der", "pkcs8", "pk8", "jks", "keystore", "bks", "ppk",
    ].contains(ResourcePath.ending(of: path))
      || ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"].contains(name)
  }

  /// Determines from its bytes what a file contains.
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

  /// Finds the line `-----BEGIN … PRIVATE KEY-----`.
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
        // In the older format, the first header, `Proc-Type`, shows that a key is encrypted.
        if line.hasPrefix("Proc-Type:"), line.contains("ENCRYPTED") { content = .protectedKey }
        break
      }
    }
    return position.map { KeyFile(path: path, content: content, position: $0) }
  }
}

/// Recognises keys in DER by the beginning of their structure.
enum DERKey {
  static func content(of bytes: [UInt8]) -> KeyFile.Content? {
    guard let outer = element(bytes, at: 0), outer.tag == 0x30,
      let first = element(bytes, at: outer.start)
    else { return nil }
    guard first.tag == 0x02, first.count == 1 else {
      // An encrypted key is an algorithm and an octet string. A public key has a bit string.
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
