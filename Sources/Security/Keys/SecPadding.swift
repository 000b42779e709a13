// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The padding, the kind of digest or the signature format for the older calls, such as
/// ``SecKeyRawSign(_:_:_:_:_:_:)``.
public struct SecPadding: OptionSet, Sendable {
  /// The bits of the padding.
  public let rawValue: UInt32
  /// Creates a padding from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// PKCS#1 v1.5 for an RSA key. A signature in DER for an elliptic-curve key.
  public static let PKCS1 = SecPadding(rawValue: 1)
  /// OAEP with SHA-1.
  public static let OAEP = SecPadding(rawValue: 2)
  /// An ECDSA signature as r ‖ s.
  public static let sigRaw = SecPadding(rawValue: 0x4000)
  /// PKCS#1 v1.5 over an MD2 digest. This module does not support it.
  public static let PKCS1MD2 = SecPadding(rawValue: 0x8000)
  /// PKCS#1 v1.5 over an MD5 digest. This module does not support it.
  public static let PKCS1MD5 = SecPadding(rawValue: 0x8001)
  /// PKCS#1 v1.5 over a SHA-1 digest.
  public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)
  /// PKCS#1 v1.5 over a SHA-224 digest. This module does not support it.
  public static let PKCS1SHA224 = SecPadding(rawValue: 0x8003)
  /// PKCS#1 v1.5 over a SHA-256 digest.
  public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)
  /// PKCS#1 v1.5 over a SHA-384 digest.
  public static let PKCS1SHA384 = SecPadding(rawValue: 0x8005)
  /// PKCS#1 v1.5 over a SHA-512 digest.
  public static let PKCS1SHA512 = SecPadding(rawValue: 0x8006)

  /// Returns the signature algorithm for a key, or nil if the key cannot sign with this padding.
  func signature(by key: SecKey) -> SecKeyAlgorithm? {
    if key.publicKey.algorithm.canDecrypt {
      return switch self {
      case []: .rsaSignatureRaw
      case .PKCS1: .rsaSignatureDigestPKCS1v15Raw
      case .PKCS1SHA1: .rsaSignatureDigestPKCS1v15SHA1
      case .PKCS1SHA224: .rsaSignatureDigestPKCS1v15SHA224
      case .PKCS1SHA256: .rsaSignatureDigestPKCS1v15SHA256
      case .PKCS1SHA384: .rsaSignatureDigestPKCS1v15SHA384
      case .PKCS1SHA512: .rsaSignatureDigestPKCS1v15SHA512
      default: nil
      }
    }
    return self == .sigRaw ? .ecdsaSignatureDigestRFC4754 : .ecdsaSignatureDigestX962
  }

  /// Returns the encryption algorithm for a key, or nil if the key cannot encrypt with this
  /// padding.
  func encryption(by key: SecKey) -> SecKeyAlgorithm? {
    guard key.publicKey.algorithm.canDecrypt else { return nil }
    return switch self {
    case []: .rsaEncryptionRaw
    case .PKCS1: .rsaEncryptionPKCS1
    case .OAEP: .rsaEncryptionOAEPSHA1
    default: nil
    }
  }
}
