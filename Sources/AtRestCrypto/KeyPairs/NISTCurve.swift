import Crypto
import Foundation

/// The operations that the three NIST curves share. swift-crypto has no protocol for them.
///
/// Private keys are big-endian scalars as long as a coordinate, public keys are X9.63 points (04 ‖
/// X ‖ Y), and signatures are DER.
protocol NISTCurve {
  static func generate() -> SecretBytes
  static func point(of scalar: UnsafeRawBufferPointer) throws -> Data
  static func check(point: Data) throws
  static func sign(_ digest: some Digest, with scalar: UnsafeRawBufferPointer) throws -> Data
  static func isValid(_ signature: Data, for digest: some Digest, by point: Data) -> Bool
  static func agree(_ scalar: UnsafeRawBufferPointer, with point: Data) throws
    -> SharedSecret
}

extension P256: NISTCurve {
  static func generate() -> SecretBytes {
    var scalar = Signing.PrivateKey().rawRepresentation
    return SecretBytes(erasing: &scalar)
  }

  static func point(of scalar: UnsafeRawBufferPointer) throws -> Data {
    try Signing.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation
  }

  static func check(point: Data) throws {
    _ = try Signing.PublicKey(x963Representation: point)
  }

  static func sign(_ digest: some Digest, with scalar: UnsafeRawBufferPointer) throws -> Data {
    try Signing.PrivateKey(rawRepresentation: scalar).signature(for: digest).derRepresentation
  }

  static func isValid(_ signature: Data, for digest: some Digest, by point: Data) -> Bool {
    guard let signature = try? Signing.ECDSASignature(derRepresentation: signature),
      let key = try? Signing.PublicKey(x963Representation: point)
    else { return false }
    return key.isValidSignature(signature, for: digest)
  }

  static func agree(_ scalar: UnsafeRawBufferPointer, with point: Data) throws
    -> SharedSecret
  {
    try KeyAgreement.PrivateKey(rawRepresentation: scalar).sharedSecretFromKeyAgreement(
      with: KeyAgreement.PublicKey(x963Representation: point))
  }
}

extension P384: NISTCurve {
  static func generate() -> SecretBytes {
    var scalar = Signing.PrivateKey().rawRepresentation
    return SecretBytes(erasing: &scalar)
  }

  static func point(of scalar: UnsafeRawBufferPointer) throws -> Data {
    try Signing.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation
  }

  static func check(point: Data) throws {
    _ = try Signing.PublicKey(x963Representation: point)
  }

  static func sign(_ digest: some Digest, with scalar: UnsafeRawBufferPointer) throws -> Data {
    try Signing.PrivateKey(rawRepresentation: scalar).signature(for: digest).derRepresentation
  }

  static func isValid(_ signature: Data, for digest: some Digest, by point: Data) -> Bool {
    guard let signature = try? Signing.ECDSASignature(derRepresentation: signature),
      let key = try? Signing.PublicKey(x963Representation: point)
    else { return false }
    return key.isValidSignature(signature, for: digest)
  }

  static func agree(_ scalar: UnsafeRawBufferPointer, with point: Data) throws
    -> SharedSecret
  {
    try KeyAgreement.PrivateKey(rawRepresentation: scalar).sharedSecretFromKeyAgreement(
      with: KeyAgreement.PublicKey(x963Representation: point))
  }
}

extension P521: NISTCurve {
  static func generate() -> SecretBytes {
    var scalar = Signing.PrivateKey().rawRepresentation
    return SecretBytes(erasing: &scalar)
  }

  static func point(of scalar: UnsafeRawBufferPointer) throws -> Data {
    try Signing.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation
  }

  static func check(point: Data) throws {
    _ = try Signing.PublicKey(x963Representation: point)
  }

  static func sign(_ digest: some Digest, with scalar: UnsafeRawBufferPointer) throws -> Data {
    try Signing.PrivateKey(rawRepresentation: scalar).signature(for: digest).derRepresentation
  }

  static func isValid(_ signature: Data, for digest: some Digest, by point: Data) -> Bool {
    guard let signature = try? Signing.ECDSASignature(derRepresentation: signature),
      let key = try? Signing.PublicKey(x963Representation: point)
    else { return false }
    return key.isValidSignature(signature, for: digest)
  }

  static func agree(_ scalar: UnsafeRawBufferPointer, with point: Data) throws
    -> SharedSecret
  {
    try KeyAgreement.PrivateKey(rawRepresentation: scalar).sharedSecretFromKeyAgreement(
      with: KeyAgreement.PublicKey(x963Representation: point))
  }
}
