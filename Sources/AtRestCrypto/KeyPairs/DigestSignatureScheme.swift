import Crypto
import CryptoExtras
import Foundation

/// A way to sign a digest that the caller computed, for protocols that require it.
///
/// Use ``SignatureScheme`` for everything else. Sign only digests that you computed yourself.
package enum DigestSignatureScheme: Hashable, Sendable {
  /// ECDSA with a DER signature over a digest of any function.
  case ecdsa
  /// ECDSA with the signature r ‖ s, each as long as a coordinate (RFC 4754).
  case ecdsaRaw
  case rsaPKCS1(DigestFunction)
  /// RSA-PSS with the digest's function in MGF1 and a salt as long as the digest.
  case rsaPSS(DigestFunction)

  var rsa: (function: DigestFunction, padding: _RSA.Signing.Padding)? {
    switch self {
    case .ecdsa, .ecdsaRaw: nil
    case .rsaPKCS1(let function): (function, .insecurePKCS1v1_5)
    case .rsaPSS(let function): (function, .PSS)
    }
  }

  package static func mismatch(_ algorithm: KeyAlgorithm) -> AtRestError {
    .invalid(
      "The signature scheme does not work with keys of algorithm \(algorithm).",
      remedy: "Use ECDSA with keys of NIST curves, and the RSA schemes with RSA keys.")
  }
}

extension PrivateKey {
  /// Signs a digest.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if keys of this algorithm do not support the
  ///   scheme, or if the digest does not have the size of the scheme's function.
  package borrowing func signature(
    forDigest digest: Data, _ scheme: DigestSignatureScheme
  ) throws -> Data {
    let algorithm = algorithm
    return try usingKey { bytes in
      if let curve = algorithm.curve, scheme.rsa == nil {
        let signature = try curve.sign(AnyDigest(bytes: digest), with: bytes)
        return scheme == .ecdsaRaw
          ? try ECDSAForm.raw(of: signature, count: algorithm.rawCount) : signature
      }
      guard algorithm.family == .rsa, let (function, padding) = scheme.rsa else {
        throw DigestSignatureScheme.mismatch(algorithm)
      }
      guard let digest = function.digest(of: digest) else {
        throw AtRestError.invalid(
          "The digest has \(digest.count) bytes, not the \(function.byteCount) of \(function).",
          remedy: "Sign the digest of that function.")
      }
      let key = try _RSA.Signing.PrivateKey(derRepresentation: bytes)
      return try Self.sign(digest, key, padding)
    }
  }

  // A separate function, to open the digest's existential.
  private static func sign(
    _ digest: some Digest, _ key: _RSA.Signing.PrivateKey, _ padding: _RSA.Signing.Padding
  ) throws -> Data {
    try key.signature(for: digest, padding: padding).rawRepresentation
  }
}

extension PublicKey {
  /// Returns true if a signature is this key's signature of a digest. Malformed signatures are not
  /// valid.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if keys of this algorithm do not support the
  ///   scheme.
  package func isValidSignature(
    _ signature: Data, forDigest digest: Data, _ scheme: DigestSignatureScheme
  ) throws -> Bool {
    if let curve = algorithm.curve, scheme.rsa == nil {
      let form =
        scheme == .ecdsaRaw ? ECDSAForm.der(of: signature, count: algorithm.rawCount) : signature
      guard let form else { return false }
      return curve.isValid(form, for: AnyDigest(bytes: digest), by: bytes)
    }
    guard algorithm.family == .rsa, let (function, padding) = scheme.rsa else {
      throw DigestSignatureScheme.mismatch(algorithm)
    }
    guard let digest = function.digest(of: digest) else { return false }
    let key = try _RSA.Signing.PublicKey(derRepresentation: bytes)
    return Self.isValid(
      _RSA.Signing.RSASignature(rawRepresentation: signature), digest, key, padding)
  }

  private static func isValid(
    _ signature: _RSA.Signing.RSASignature, _ digest: some Digest, _ key: _RSA.Signing.PublicKey,
    _ padding: _RSA.Signing.Padding
  ) -> Bool {
    key.isValidSignature(signature, for: digest, padding: padding)
  }
}
