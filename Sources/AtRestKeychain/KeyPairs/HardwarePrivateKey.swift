import AtRestCrypto
import AtRestKeybag
import Foundation

/// A private key in the device's hardware, which signs and agrees on secrets there.
package struct HardwarePrivateKey: X963Agreeing, Sendable {
  /// The stored form of the key, which only the hardware can use.
  package let key: HardwareKey
  package let publicKey: PublicKey
  private let hardware: any HardwareKeyProvider

  /// Creates a key from its stored form.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the public half is not a P-256 key.
  package init(_ key: HardwareKey, in hardware: any HardwareKeyProvider) throws {
    guard let publicKey = try? PublicKey(x963Representation: key.publicKey),
      publicKey.algorithm == .p256
    else { throw AtRestError.damaged("The public half of the hardware key is not a P-256 key.") }
    self.key = key
    self.publicKey = publicKey
    self.hardware = hardware
  }

  /// Makes a key in a device's hardware.
  ///
  /// - Throws: ``AtRestError/Code/noHardware`` if the device has no such hardware; the errors of the
  ///   hardware.
  static func make(with device: any DeviceKeyProvider) throws -> HardwarePrivateKey {
    guard let hardware = device.hardwareKeys else {
      throw AtRestError(
        .noHardware, "The device has no hardware that makes keys and keeps them.",
        remedy: "Use a store whose device is a TPM, or create the key in memory, as atrest "
          + "keygen does without --hardware.")
    }
    return try HardwarePrivateKey(hardware.makeKey(), in: hardware)
  }

  /// Signs a message with ECDSA.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if P-256 keys do not support the scheme; the
  ///   errors of the hardware.
  package func signature(for message: Data, scheme: SignatureScheme?) throws -> Data {
    let scheme = try SignatureScheme.resolved(scheme, for: .p256)
    return try signature(forDigest: scheme.digestBytes(of: message), .ecdsa)
  }

  /// Signs a digest of any size with ECDSA.
  ///
  /// - Throws: The errors of ``signature(for:scheme:)``.
  package func signature(forDigest digest: Data, _ scheme: DigestSignatureScheme) throws -> Data {
    guard scheme == .ecdsa || scheme == .ecdsaRaw else {
      throw DigestSignatureScheme.mismatch(.p256)
    }
    let count = 32
    // ECDSA signs a number of 256 bits: the first bits of a longer digest (FIPS 186-5, section
    // 6.4.1). The hardware therefore does not have to know the hash function.
    let number = Data(count: max(0, count - digest.count)) + digest.prefix(count)
    let raw = try hardware.signature(ofDigest: number, with: key)
    guard let der = ECDSAForm.der(of: raw, count: count) else {
      throw AtRestError(
        .system, "The hardware returned a signature of \(raw.count) bytes instead of 64.",
        remedy: "Try again; if it happens again, report it.")
    }
    return scheme == .ecdsa ? der : raw
  }

  /// Agrees on a secret with the holder of another P-256 key.
  ///
  /// - Returns: The X coordinate of the shared point, 32 bytes.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the other key is not a P-256 key; the errors
  ///   of the hardware.
  package func sharedSecret(with other: PublicKey) throws -> SecretBytes {
    guard other.algorithm == .p256 else {
      throw AtRestError.invalid(
        "The other key is of algorithm \(other.algorithm), not p256.",
        remedy: "Use two keys of the same algorithm.")
    }
    return try hardware.sharedSecret(of: key, with: other.x963Representation())
  }

  package func sharedSecret(
    with other: PublicKey, derivingX963 function: DigestFunction, sharedInfo: Data, count: Int
  ) throws -> SecretBytes {
    try derive(with: other, function, sharedInfo: sharedInfo, count: count) {
      try sharedSecret(with: other)
    }
  }
}
