/// How an entry of a zip archive is encrypted with AES.
///
/// A salt precedes the encrypted bytes, and a part of a MAC of them follows.
///
/// Source: WinZip's *AE-1 and AE-2*, version 1.04.
package struct ZipEncryption: Hashable, Sendable {
  /// The size of the key in bytes.
  package let keySize: Int
  /// The method by which the contents are compressed.
  let method: Int
  /// True if the checksum of the contents is in the entry (AE-1).
  let hasChecksum: Bool

  /// The method of an entry that is encrypted.
  static let marker = 99
  private static let tag = 0x9901

  package var saltSize: Int { keySize / 2 }
  /// The size in bytes of what rejects most passphrases.
  package static let verifierSize = 2
  package static let macSize = 10
  /// The number of bytes that are not the contents.
  package var overhead: Int { saltSize + Self.verifierSize + Self.macSize }

  /// Reads the extra field of an entry, or returns nil if it has none of this kind.
  init?(extra: [UInt8]) {
    guard let field = ZipDirectory.field(Self.tag, in: extra),
      let version = field.littleEndian(at: 0, size: 2), (1...2).contains(version),
      field.has("AE", at: 2), field.count >= 7, (1...3).contains(field[4]),
      let method = field.littleEndian(at: 5, size: 2)
    else { return nil }
    keySize = 8 + 8 * Int(field[4])
    self.method = method
    hasChecksum = version == 1
  }
}
