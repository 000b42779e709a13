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
  /// The keys, without the lines that name them.
  package let secrets: [Finding.Secret]

  package init(
    path: String, content: Content?, position: Position = Position(line: 1, column: 1),
    secrets: [Finding.Secret] = []
  ) {
    self.path = path
    self.content = content
    self.position = position
    self.secrets = secrets
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
    return KeyFile(
      path: path, content: content,
      secrets: content == nil ? [] : [secret(bytes, contents(of: bytes), path)])
  }

  /// The range of everything but the first line of a PuTTY key, which names the format. Other files
  /// are not text.
  private static func contents(of bytes: [UInt8]) -> Range<Int> {
    guard bytes.starts(with: Array("PuTTY".utf8)) else { return bytes.indices }
    return (bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count)..<bytes.count
  }

  private static func secret(
    _ bytes: [UInt8], _ range: Range<Int>, _ path: String
  ) -> Finding.Secret {
    let lines = LineTable(bytes)
    return Finding.Secret(
      Array(bytes[range]),
      at: Location(
        path: path, start: lines.position(of: Int32(range.lowerBound)),
        end: lines.position(of: Int32(range.upperBound))))
  }

  /// Finds the line `-----BEGIN … PRIVATE KEY-----`, or returns nil if there is none.
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
    return position.map {
      KeyFile(path: path, content: content, position: $0, secrets: keys(in: bytes, path: path))
    }
  }

  /// Returns the text between the first and the last line of each private key.
  private static func keys(in bytes: [UInt8], path: String) -> [Finding.Secret] {
    let mark = Array("PRIVATE KEY-----".utf8)
    var secrets: [Finding.Secret] = []
    var start: Int?
    var index = 0
    while index + mark.count <= bytes.count {
      guard bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) else {
        index += 1
        continue
      }
      if let first = start {
        // The last line begins with `-----END`.
        let end = bytes[first..<index].lastIndex { $0 == 0x0A || $0 == 0x0D } ?? index
        secrets.append(secret(bytes, first..<end, path))
        start = nil
      } else {
        start = index + mark.count
      }
      index += mark.count
    }
    if let start { secrets.append(secret(bytes, start..<bytes.count, path)) }
    return secrets
  }
}
