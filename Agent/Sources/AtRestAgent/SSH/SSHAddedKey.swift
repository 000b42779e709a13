import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation

/// A private key in a request to add it, with its certificate if it has one.
struct SSHAddedKey {
  let publicKey: SSHPublicKey
  /// The scalar or the seed, or PKCS#1 DER for RSA.
  let secret: AgentSecret
  /// The certificate, or nil.
  let certificate: Data?

  /// Reads a key. Returns nil for algorithms that this agent does not know.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` or ``AtRestError/Code/invalidArgument`` if the bytes are
  ///   not a key, or if the certificate or the public half belongs to another key.
  init?(_ reader: inout SSHReader) throws {
    let full = try reader.text()
    let hasCertificate = full.hasSuffix(SSHPublicKey.certificateSuffix)
    let name = hasCertificate ? String(full.dropLast(SSHPublicKey.certificateSuffix.count)) : full
    var certificate: Data?
    // The public half, which a certificate has in place of the key.
    var given: PublicKey?
    if hasCertificate {
      let bytes = try reader.string()
      var inner = SSHReader(bytes)
      guard try inner.text() == full else { throw SSHReader.malformed }
      given = try SSHPublicKey.key(certifiedBy: bytes)
      guard given != nil else { return nil }
      certificate = Data(bytes)
    }
    let privateKey: PrivateKey
    if name == "ssh-ed25519" {
      let half = try PublicKey(rawRepresentation: Data(try reader.string()), algorithm: .ed25519)
      guard given == nil || given == half else { throw SSHReader.malformed }
      given = half
      let pair = try reader.string()
      guard pair.count == 64 else { throw SSHReader.malformed }
      let seed = SecretBytes(copying: .init(rebasing: pair[..<32]))
      privateKey = try PrivateKey(rawRepresentation: seed, algorithm: .ed25519)
      secret = AgentSecret(seed)
    } else if name == "ssh-rsa" {
      let numbers =
        try given.map { try DERIntegers.pair(in: $0.pkcs1Representation()) }
        ?? (Data(reader.string()), Data(reader.string()))
      let d = try reader.string()
      _ = try reader.string()  // the inverse of a prime, which is computed
      let der = try SSHRSANumbers.privateKey(
        n: numbers.0, e: numbers.1, d: d, p: try reader.string(), q: try reader.string())
      privateKey = try PrivateKey(importing: der)
      secret = AgentSecret(der)
      if given == nil { given = try SSHRSANumbers.publicKey(n: numbers.0, e: numbers.1) }
    } else if name.hasPrefix("ecdsa-sha2-"),
      let curve = SSHPublicKey.algorithm(ofCurve: String(name.dropFirst("ecdsa-sha2-".count)))
    {
      if given == nil {
        guard SSHPublicKey.algorithm(ofCurve: try reader.text()) == curve else {
          throw SSHReader.malformed
        }
        given = try PublicKey(x963Representation: Data(try reader.string()))
      }
      let number = try reader.string().drop { $0 == 0 }
      let size = (curve.keySizeInBits + 7) / 8
      guard number.count <= size else { throw SSHReader.malformed }
      let scalar = SecretBytes(count: size) { bytes in
        UnsafeMutableRawBufferPointer(rebasing: bytes[(size - number.count)...])
          .copyBytes(from: number)
      }
      privateKey = try PrivateKey(rawRepresentation: scalar, algorithm: curve)
      secret = AgentSecret(scalar)
    } else {
      return nil
    }
    guard privateKey.publicKey == given, let publicKey = SSHPublicKey(privateKey.publicKey) else {
      throw SSHReader.malformed
    }
    self.publicKey = publicKey
    self.certificate = certificate
  }
}
