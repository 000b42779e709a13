import AtRestCrypto
import Foundation
import GRDB

/// The key and the name with which the extension `atrest_vfs` opens a database in another program.
extension EncryptedDatabase {
  /// Returns the raw key of a database that exists, as hexadecimal digits: with the salt if that is not in the
  /// file.
  package static func rawKey(
    of url: URL, key: DatabaseKey, format: DatabaseFormat
  ) throws -> SecretBytes {
    // Opening it gives the errors of a wrong key.
    let cipher = try DatabaseOpening(url, key, format).open(Configuration()) {
      path, configuration, cipher in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      try DatabaseQueue(path: path, configuration: configuration).close()
      return cipher
    }
    // A raw key can have the salt and the key of the HMAC too.
    if case .raw(let box) = key.source { return hexadecimal(box.bytes) }
    let raw = cipher.rawKey()
    guard format.hasPlaintextHeader else { return hexadecimal(raw) }
    return hexadecimal(
      SecretBytes(count: raw.count + cipher.salt.count) { bytes in
        raw.withUnsafeBytes { bytes.copyMemory(from: $0) }
        UnsafeMutableRawBufferPointer(rebasing: bytes[raw.count...]).copyBytes(from: cipher.salt)
      })
  }

  private static func hexadecimal(_ bytes: borrowing SecretBytes) -> SecretBytes {
    SecretBytes(count: 2 * bytes.count) { digits in
      bytes.withUnsafeBytes { bytes in
        for (index, byte) in bytes.enumerated() {
          for (place, digit) in [byte >> 4, byte & 15].enumerated() {
            digits[2 * index + place] = digit < 10 ? 0x30 + digit : 0x57 + digit
          }
        }
      }
    }
  }

  /// Returns the URI with which a program opens a database through the extension.
  package static func uri(of url: URL, rawKeyFile: String, format: DatabaseFormat) -> String {
    let name =
      DatabaseFormat.named.first {
        $0.value.name == format.name
      }?.key ?? "sqlcipher4"
    return KeyRegistration.uri(of: url.absoluteURL, vfs: vfs)
      + "&format=\(name)&page-size=\(format.pageSize)&rounds=\(format.rounds)"
      + (format.hasPlaintextHeader ? "&plaintext-header=1" : "") + "&raw-key-file=\(rawKeyFile)"
  }
}
