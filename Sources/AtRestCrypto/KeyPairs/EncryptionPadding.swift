import CryptoExtras

/// A padding that is applied to a message before RSA encrypts it.
public struct EncryptionPadding: Hashable, Sendable, CustomStringConvertible {
  private enum Kind { case oaepSHA256, oaepSHA1, pkcs1 }
  private let kind: Kind

  /// OAEP with SHA-256 and MGF1 with SHA-256, and no label (RFC 8017, section 7.1).
  public static let oaepSHA256 = EncryptionPadding(kind: .oaepSHA256)
  /// OAEP with SHA-1, for existing ciphertexts.
  package static let oaepSHA1 = EncryptionPadding(kind: .oaepSHA1)
  /// PKCS#1 v1.5, for existing ciphertexts. An attacker who learns whether chosen ciphertexts
  /// decrypt can decrypt any ciphertext.
  package static let pkcs1 = EncryptionPadding(kind: .pkcs1)

  public var description: String {
    switch kind {
    case .oaepSHA256: "OAEP-SHA256"
    case .oaepSHA1: "OAEP-SHA1"
    case .pkcs1: "PKCS1"
    }
  }

  /// Returns the size of the longest message that a key can encrypt, in bytes: 190 for
  /// ``oaepSHA256`` and 2,048 bits. The result is 0 for algorithms other than RSA.
  package func maximumMessageCount(for algorithm: KeyAlgorithm) -> Int {
    guard algorithm.family == .rsa else { return 0 }
    let overhead =
      switch kind {
      case .oaepSHA256: 2 * 32 + 2
      case .oaepSHA1: 2 * 20 + 2
      case .pkcs1: 11
      }
    return (algorithm.keySizeInBits + 7) / 8 - overhead
  }

  var implementation: _RSA.Encryption.Padding {
    switch kind {
    case .oaepSHA256: .PKCS1_OAEP_SHA256
    case .oaepSHA1: .PKCS1_OAEP
    case .pkcs1: ._WEAK_AND_INSECURE_PKCS_V1_5
    }
  }
}
