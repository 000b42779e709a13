import Crypto
import Foundation

/// A way to hash and sign a message.
///
/// ```swift
/// let signature = try key.signature(for: message, scheme: .rsaPKCS1SHA256)
/// ```
///
/// ## Topics
/// ECDSA, whose signatures are DER (`SEQUENCE { r, s }`, ANSI X9.62, RFC 3279): ``ecdsaSHA256``,
/// ``ecdsaSHA384``, ``ecdsaSHA512``, each with any NIST curve.
/// Ed25519 (RFC 8032), with signatures of 64 bytes: ``ed25519``.
/// RSA (RFC 8017), with signatures as long as the modulus: ``rsaPSSSHA256`` and its siblings (the
/// same hash in MGF1, and a salt as long as the hash); ``rsaPKCS1SHA256`` and its siblings, for
/// protocols that require PKCS#1 v1.5.
public struct SignatureScheme: Hashable, Sendable, CustomStringConvertible {
  enum Family: Hashable, Sendable {
    case ecdsa, ed25519, rsaPSS, rsaPKCS1
  }
  enum Hash: Hashable, Sendable {
    case sha256, sha384, sha512
  }

  let family: Family
  let hash: Hash
  /// The name, for files and command lines: `ecdsa-sha256`.
  public let name: String

  private init(_ family: Family, _ hash: Hash, _ name: String) {
    self.family = family
    self.hash = hash
    self.name = name
  }

  /// ECDSA with SHA-256.
  public static let ecdsaSHA256 = SignatureScheme(.ecdsa, .sha256, "ecdsa-sha256")
  /// ECDSA with SHA-384.
  public static let ecdsaSHA384 = SignatureScheme(.ecdsa, .sha384, "ecdsa-sha384")
  /// ECDSA with SHA-512.
  public static let ecdsaSHA512 = SignatureScheme(.ecdsa, .sha512, "ecdsa-sha512")
  /// Ed25519 without a context and without pre-hashing.
  public static let ed25519 = SignatureScheme(.ed25519, .sha512, "ed25519")
  /// RSA-PSS with SHA-256 and a salt of 32 bytes.
  public static let rsaPSSSHA256 = SignatureScheme(.rsaPSS, .sha256, "rsa-pss-sha256")
  /// RSA-PSS with SHA-384 and a salt of 48 bytes.
  public static let rsaPSSSHA384 = SignatureScheme(.rsaPSS, .sha384, "rsa-pss-sha384")
  /// RSA-PSS with SHA-512 and a salt of 64 bytes.
  public static let rsaPSSSHA512 = SignatureScheme(.rsaPSS, .sha512, "rsa-pss-sha512")
  /// RSA PKCS#1 v1.5 with SHA-256.
  public static let rsaPKCS1SHA256 = SignatureScheme(.rsaPKCS1, .sha256, "rsa-pkcs1-sha256")
  /// RSA PKCS#1 v1.5 with SHA-384.
  public static let rsaPKCS1SHA384 = SignatureScheme(.rsaPKCS1, .sha384, "rsa-pkcs1-sha384")
  /// RSA PKCS#1 v1.5 with SHA-512.
  public static let rsaPKCS1SHA512 = SignatureScheme(.rsaPKCS1, .sha512, "rsa-pkcs1-sha512")

  /// Every scheme.
  public static let all: [SignatureScheme] = [
    .ecdsaSHA256, .ecdsaSHA384, .ecdsaSHA512, .ed25519, .rsaPSSSHA256, .rsaPSSSHA384,
    .rsaPSSSHA512, .rsaPKCS1SHA256, .rsaPKCS1SHA384, .rsaPKCS1SHA512,
  ]

  /// Creates the scheme with a given ``name``. The result is nil if no scheme has this name.
  public init?(name: String) {
    guard let scheme = Self.all.first(where: { $0.name == name }) else { return nil }
    self = scheme
  }

  public var description: String { name }

  /// Returns true if keys of an algorithm can sign with this scheme.
  public func isSupported(by algorithm: KeyAlgorithm) -> Bool {
    switch algorithm.family {
    case .p256, .p384, .p521: family == .ecdsa
    case .ed25519: family == .ed25519
    case .x25519: false
    case .rsa: family == .rsaPSS || family == .rsaPKCS1
    }
  }

  /// Returns the given scheme, or the algorithm's default scheme if it is nil. Throws an error if
  /// the algorithm does not support the given scheme, or cannot sign.
  package static func resolved(_ scheme: SignatureScheme?, for algorithm: KeyAlgorithm) throws
    -> SignatureScheme
  {
    guard let fallback = algorithm.defaultSignatureScheme else {
      throw AtRestError.invalid(
        "A key of algorithm \(algorithm) cannot sign.",
        remedy: "Use a key of a NIST curve, an Ed25519 key or an RSA key.")
    }
    let scheme = scheme ?? fallback
    guard scheme.isSupported(by: algorithm) else {
      throw AtRestError.invalid(
        "The scheme \(scheme) does not work with keys of algorithm \(algorithm).",
        remedy: "Use \(fallback), or leave the scheme out.")
    }
    return scheme
  }

  func digest(of message: some DataProtocol) -> any Digest {
    switch hash {
    case .sha256: SHA256.hash(data: message)
    case .sha384: SHA384.hash(data: message)
    case .sha512: SHA512.hash(data: message)
    }
  }

  /// Returns the digest of a message that the scheme signs, as bytes.
  package func digestBytes(of message: some DataProtocol) -> Data {
    digest(of: message).withUnsafeBytes { Data($0) }
  }
}
