import Crypto
import Foundation

extension PrivateKey: X963Agreeing {
  /// Agrees on a secret with the holder of another key, and derives bytes from it (ANSI X9.63).
  ///
  /// - Throws: The errors of ``sharedSecret(with:)``; ``AtRestError/Code/invalidArgument`` for
  ///   counts that are negative or above 1 MiB.
  package borrowing func sharedSecret(
    with other: PublicKey, derivingX963 function: DigestFunction, sharedInfo: Data, count: Int
  ) throws -> SecretBytes {
    let curve = try checkAgreement(with: other, count: count)
    func derive<Hash: HashFunction>(_: Hash.Type, _ secret: SharedSecret) -> SymmetricKey {
      secret.x963DerivedSymmetricKey(
        using: Hash.self, sharedInfo: sharedInfo, outputByteCount: count)
    }
    return try usingKey { bytes in
      let secret = try curve.agree(bytes, with: other.bytes)
      let derived =
        switch function {
        case .sha1: derive(Insecure.SHA1.self, secret)
        case .sha256: derive(SHA256.self, secret)
        case .sha384: derive(SHA384.self, secret)
        case .sha512: derive(SHA512.self, secret)
        }
      return SecretBytes(derived)
    }
  }
}
