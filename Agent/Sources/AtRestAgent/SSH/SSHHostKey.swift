import AtRestCrypto
import Crypto
import CryptoExtras
import Foundation

/// The keys with which hosts prove that a connection leads to them: Ed25519, ECDSA, and RSA from 1,024
/// bits, also in host certificates. These are the kinds that OpenSSH accepts, except keys of security
/// tokens.
enum SSHHostKey {
  /// Returns true if a host has signed a session.
  ///
  /// - Parameter blob: The key or the certificate of the host.
  /// - Throws: ``AtRestError`` if the bytes are not those of a key and a signature.
  static func has(_ blob: Data, signed session: Data, with signature: Data) throws -> Bool {
    try blob.withUnsafeBytes { blob in
      var reader = SSHReader(blob)
      var name = try reader.text()
      if name.hasSuffix(SSHPublicKey.certificateSuffix) {
        name = String(name.dropLast(SSHPublicKey.certificateSuffix.count))
        _ = try reader.string()  // a random value
      }
      if name == "ssh-rsa" {
        let (e, n) = (try reader.string(), try reader.string())
        return try hasRSA(n: n, e: e, signed: session, with: signature)
      }
      guard let key = try SSHPublicKey(blob: blob) ?? certified(by: blob) else { return false }
      return try signature.withUnsafeBytes { try key.isValid($0, for: session) }
    }
  }

  private static func certified(by blob: UnsafeRawBufferPointer) throws -> SSHPublicKey? {
    try SSHPublicKey.key(certifiedBy: blob).flatMap(SSHPublicKey.init)
  }

  /// Checks a signature of an RSA key. OpenSSH accepts shorter keys of hosts than AtRest uses otherwise.
  private static func hasRSA(
    n: UnsafeRawBufferPointer, e: UnsafeRawBufferPointer, signed session: Data,
    with signature: Data
  ) throws -> Bool {
    try signature.withUnsafeBytes { signature in
      var reader = SSHReader(signature)
      let (scheme, bytes) = (try reader.text(), Data(try reader.string()))
      try reader.finish()
      guard n.count <= SSHRSANumbers.longest, e.count <= SSHRSANumbers.longest else {
        return false
      }
      let der = DERIntegers.sequence([Data(n), Data(e)])
      guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: der) else {
        return false
      }
      let proof = _RSA.Signing.RSASignature(rawRepresentation: bytes)
      switch scheme {
      case "rsa-sha2-256":
        return key.isValidSignature(
          proof, for: SHA256.hash(data: session), padding: .insecurePKCS1v1_5)
      case "rsa-sha2-512":
        return key.isValidSignature(
          proof, for: SHA512.hash(data: session), padding: .insecurePKCS1v1_5)
      default: return false
      }
    }
  }
}
