import Crypto

/// The HMAC of a page, with the key already absorbed.
enum PageAuthenticator: Sendable {
  case sha1(HMAC<Insecure.SHA1>)
  case sha256(HMAC<SHA256>)
  case sha512(HMAC<SHA512>)

  init?(_ hash: DatabaseFormat.Hash?, key: SymmetricKey) {
    switch hash {
    case .sha1: self = .sha1(HMAC(key: key))
    case .sha256: self = .sha256(HMAC(key: key))
    case .sha512: self = .sha512(HMAC(key: key))
    case nil: return nil
    }
  }

  /// Calls a closure with the code of a page: its ciphertext and IV, then a number, which is written
  /// as a little-endian `u32`.
  func withCode<Result>(
    of sealed: UnsafeRawBufferPointer, number: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    switch self {
    case .sha1(let keyed): Self.code(keyed, sealed, number, body)
    case .sha256(let keyed): Self.code(keyed, sealed, number, body)
    case .sha512(let keyed): Self.code(keyed, sealed, number, body)
    }
  }

  private static func code<H: HashFunction, Result>(
    _ keyed: HMAC<H>, _ sealed: UnsafeRawBufferPointer, _ number: UInt32,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    var hmac = keyed
    hmac.update(data: sealed)
    withUnsafeBytes(of: number.littleEndian) { hmac.update(data: $0) }
    return hmac.finalize().withUnsafeBytes(body)
  }
}
