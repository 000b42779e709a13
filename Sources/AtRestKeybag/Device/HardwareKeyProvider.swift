import AtRestCrypto
import Foundation

/// Makes P-256 key pairs whose private halves never leave the device, and uses them.
///
/// A ``DeviceKeyProvider`` with such a device offers it as ``DeviceKeyProvider/hardwareKeys``. Every
/// method may be called from several threads at once.
public protocol HardwareKeyProvider: Sendable {
  /// Makes a key pair in the device.
  ///
  /// - Throws: ``AtRestError/Code/deviceUnavailable`` if the device cannot be used;
  ///   ``AtRestError/Code/busy`` if it is busy for too long.
  func makeKey() throws -> HardwareKey

  /// Signs a digest with ECDSA inside the device.
  ///
  /// - Parameter digest: A digest of 20 to 64 bytes. Of a longer one than 32 bytes, ECDSA signs the
  ///   first 32 (FIPS 186-5, section 6.4.1).
  /// - Returns: r ‖ s, 64 bytes.
  /// - Throws: ``AtRestError/Code/otherDevice`` if another device made the key;
  ///   ``AtRestError/Code/damaged`` if the key was modified; the errors of ``makeKey()``.
  func signature(ofDigest digest: Data, with key: HardwareKey) throws -> Data

  /// Agrees on a secret inside the device (ECDH with cofactor 1, SP 800-56A, section 5.7.1.2).
  ///
  /// - Parameter publicKey: The other party's public key in X9.63 form, 65 bytes.
  /// - Returns: The x coordinate of the shared point, 32 bytes.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the point is not on the curve; the errors of
  ///   ``signature(ofDigest:with:)``.
  func sharedSecret(of key: HardwareKey, with publicKey: Data) throws -> SecretBytes
}

/// A key pair of a ``HardwareKeyProvider``, as it is stored: the private half can be used only by the
/// device that made it.
public struct HardwareKey: Hashable, Sendable {
  /// The private half, encrypted by the device, at most 4,096 bytes. A TPM's keys are in the PEM form
  /// `TSS2 PRIVATE KEY`, which OpenSSL's provider for TPMs reads.
  public let representation: Data
  /// The public key in X9.63 form: 0x04, x and y, 65 bytes.
  public let publicKey: Data

  /// Creates a key pair from its stored parts, which the device checks when it uses them.
  public init(representation: Data, publicKey: Data) {
    self.representation = representation
    self.publicKey = publicKey
  }
}

extension DeviceKeyProvider {
  /// No hardware keys.
  public var hardwareKeys: (any HardwareKeyProvider)? { nil }
}
