import AtRestCrypto
import Foundation

/// The key and the name with which the extension `atrest_vfs` opens a database in another program.
extension EncryptedDatabase {
  /// Returns the raw key of a database that exists, as hexadecimal digits.
  package static func rawKey(
    of url: URL, key: DatabaseKey, format: DatabaseFormat
  ) throws -> SecretBytes {
    guard try DatabaseFile.exists(url) else {
      throw AtRestError(
        .notFound, "There is no database \(url.path).", remedy: "Check the name of the file.")
    }
    // Opening it first gives the errors of a wrong key.
    try openQueue(at: url, key: key, format: format).close()
    let opening = try DatabaseOpening(url, key, format)
    // A raw key can have the salt and the key of the HMAC too.
    if case .raw(let box) = key.source { return hexadecimal(box.bytes) }
    return hexadecimal(try opening.cipher(of: DatabaseFile(url, format: format)).rawKey())
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
      + "&format=\(name)&page-size=\(format.pageSize)&raw-key-file=\(rawKeyFile)"
  }
}
