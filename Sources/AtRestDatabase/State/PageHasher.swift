import Crypto
import Foundation

/// Computes the keyed hash of a page: HMAC-SHA-256 of its number and of its reserve, which has the tag,
/// the nonce and the epoch.
struct PageHasher: Sendable {
  static let reserveSize = 32
  private let key: HMAC<SHA256>

  init(_ cipher: AtRestPageCipher) {
    key = HMAC(key: cipher.derive(.databasePageHash).symmetricKey())
  }

  func hash(of page: UInt32, reserve: UnsafeRawBufferPointer) -> PageSetHash {
    var hmac = key
    withUnsafeBytes(of: page.bigEndian) { hmac.update(data: $0) }
    hmac.update(data: reserve)
    return hmac.finalize().withUnsafeBytes { PageSetHash($0) }
  }
}
