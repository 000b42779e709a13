import AtRestFormats
import Crypto
import CryptoExtras

/// An entry of a zip archive that is encrypted with AES, under a passphrase.
///
/// The keys are made of the passphrase with 1,000 rounds of PBKDF2. The mode is CTR with a counter whose first byte is the
/// lowest. Ten bytes of an HMAC with SHA-1 authenticate the encrypted bytes.
///
/// Source: WinZip's *AE-1 and AE-2*, version 1.04.
struct DecryptedZipEntry: Sendable {
  private static let rounds = 1000
  private static let blockSize = 16
  private static let chunkSize = 1 << 18

  private let packed: ByteSource
  private let range: Range<Int>
  private let key: SymmetricKey
  private let macKey: SymmetricKey

  /// Derives the keys. Returns nil if two bytes of the entry show that the passphrase is another.
  ///
  /// - Parameter packed: The bytes of the entry as they are stored.
  init?(_ packed: ByteSource, _ entry: ZipArchive.Entry, _ passphrase: [UInt8]) throws {
    guard let encryption = entry.encryption, packed.count >= encryption.overhead else {
      throw FormatError("The zip entry is damaged.")
    }
    let start = encryption.saltSize + ZipEncryption.verifierSize
    let head = try packed.prefix(start)
    let keys = try KDF.Insecure.PBKDF2.deriveKey(
      from: passphrase, salt: head.prefix(encryption.saltSize), using: .insecureSHA1,
      outputByteCount: 2 * encryption.keySize + ZipEncryption.verifierSize,
      unsafeUncheckedRounds: Self.rounds
    ).withUnsafeBytes { Array($0) }
    guard keys.suffix(ZipEncryption.verifierSize) == head.suffix(ZipEncryption.verifierSize) else {
      return nil
    }
    self.packed = packed
    range = start..<packed.count - ZipEncryption.macSize
    key = SymmetricKey(data: keys.prefix(encryption.keySize))
    macKey = SymmetricKey(data: keys[encryption.keySize..<2 * encryption.keySize])
  }

  func isAuthentic() throws -> Bool {
    var hmac = HMAC<Insecure.SHA1>(key: macKey)
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.chunkSize) {
      hmac.update(
        data: try packed.read(start..<min(range.upperBound, start + Self.chunkSize)))
    }
    let mac = try packed.read(range.upperBound..<packed.count)
    return hmac.finalize().prefix(mac.count).elementsEqual(mac)
  }

  /// The entry as it would be without encryption. Blocks are decrypted when they are read.
  var plaintext: ByteSource {
    let (packed, base, key) = (packed, range.lowerBound, key)
    return ByteSource(count: range.count) { wanted throws(FormatError) in
      var bytes = try packed.read(base + wanted.lowerBound..<base + wanted.upperBound)
      do {
        var number = wanted.lowerBound / Self.blockSize
        var offset = -(wanted.lowerBound % Self.blockSize)
        while offset < bytes.count {
          number += 1
          var stream = (0..<Self.blockSize).map { index in
            index < 8 ? UInt8(truncatingIfNeeded: number >> (8 * index)) : 0
          }
          try AES.permute(&stream, key: key)
          for index in max(0, offset)..<min(bytes.count, offset + Self.blockSize) {
            bytes[index] ^= stream[index - offset]
          }
          offset += Self.blockSize
        }
      } catch {
        throw FormatError("The zip entry cannot be decrypted: \(error)")
      }
      return bytes
    }
  }
}
