import Crypto
import Foundation

extension SecretBytes {
  /// Derives bytes with the KDF of ANSI X9.63 (SEC 1, section 3.6.1): the digests of secret ‖
  /// counter ‖ shared information, one after the other.
  ///
  /// swift-crypto offers this KDF only for secrets on which it agreed itself, not for the secrets
  /// of hardware.
  borrowing func derivedX963(
    _ function: DigestFunction, sharedInfo: Data, count: Int
  ) -> SecretBytes {
    switch function {
    case .sha1: derivedX963(Insecure.SHA1.self, sharedInfo, count)
    case .sha256: derivedX963(SHA256.self, sharedInfo, count)
    case .sha384: derivedX963(SHA384.self, sharedInfo, count)
    case .sha512: derivedX963(SHA512.self, sharedInfo, count)
    }
  }

  private borrowing func derivedX963<Hash: HashFunction>(
    _: Hash.Type, _ sharedInfo: Data, _ count: Int
  ) -> SecretBytes {
    Remains.erased(after: .deep) {
      withUnsafeBytes { secret in
        SecretBytes(count: count) { result in
          for (number, start) in stride(from: 0, to: count, by: Hash.Digest.byteCount).enumerated()
          {
            var hash = Hash()
            hash.update(bufferPointer: secret)
            Swift.withUnsafeBytes(of: UInt32(number + 1).bigEndian) {
              hash.update(bufferPointer: $0)
            }
            hash.update(data: sharedInfo)
            hash.finalize().withUnsafeBytes { digest in
              UnsafeMutableRawBufferPointer(rebasing: result[start...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: digest.prefix(count - start)))
            }
          }
        }
      }
    }
  }
}
