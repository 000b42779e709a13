import CryptoExtras

/// How a message is padded before RSA encrypts it.
public struct EncryptionPadding: Hashable, Sendable, CustomStringConvertible {
  private let hashCount: Int

  /// OAEP with SHA-256 and MGF1 with SHA-256, and no label (RFC 8017, section 7.1).
  public static let oaepSHA256 = EncryptionPadding(hashCount: 32)

  public var description: String { "OAEP-SHA256" }

  /// The longest message that fits a key, in bytes: 190 at 2,048 bits. 0 for keys that are not RSA.
  public func maximumMessageCount(for algorithm: KeyAlgorithm) -> Int {
    guard algorithm.family == .rsa else { return 0 }
    return (algorithm.keySizeInBits + 7) / 8 - 2 * hashCount - 2
  }

  var implementation: _RSA.Encryption.Padding { .PKCS1_OAEP_SHA256 }
}
