import AtRestCrypto
import CryptoExtras
import Foundation

/// The numbers of an RSA key, as SSH has them.
enum SSHRSANumbers {
  /// The bytes of the longest modulus, with a zero before it.
  static let longest = 2049

  /// Returns the private key in PKCS#1 DER.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the numbers are not a key of 2,048 bits or more.
  static func privateKey(
    n: Data, e: Data, d: UnsafeRawBufferPointer, p: UnsafeRawBufferPointer,
    q: UnsafeRawBufferPointer
  ) throws -> SecretBytes {
    guard n.count <= longest, d.count <= longest, p.count <= longest, q.count <= longest,
      let key = try? _RSA.Signing.PrivateKey(n: n, e: e, d: d, p: p, q: q)
    else { throw SSHReader.malformed }
    var der = key.derRepresentation
    return SecretBytes(erasing: &der)
  }

  /// Returns the public key.
  ///
  /// - Throws: ``AtRestError`` if the numbers are not a key of 2,048 bits or more.
  static func publicKey(
    n: some Collection<UInt8>, e: some Collection<UInt8>
  ) throws -> PublicKey {
    guard n.count <= longest, e.count <= longest else { throw SSHReader.malformed }
    return try PublicKey(importing: DERIntegers.sequence([Data(n), Data(e)]))
  }
}
