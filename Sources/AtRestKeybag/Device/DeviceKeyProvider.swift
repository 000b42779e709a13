import AtRestCrypto
import Foundation

/// A provider of a device's own key. It uses the key without revealing it, and remembers the state
/// of the device's stores.
///
/// Everything in a store is bound to this key: a store that is copied to another machine does not
/// open there. ``FileDeviceKey`` keeps the key in a file, and `TPMDeviceKey` in a TPM. Providers for
/// a secure element can conform to the same protocol.
///
/// Every method may be called from several threads at once.
public protocol DeviceKeyProvider: Sendable {
  /// Mixes the device key into other key material. The result is a pseudorandom function of both,
  /// 32 bytes.
  ///
  /// - Parameters:
  ///   - input: The other key material, of any length. Inputs that differ only in length give
  ///     different results.
  ///   - purpose: The purpose, which separates the results for different uses.
  /// - Throws: ``AtRestError`` if the key cannot be used.
  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes

  /// True if the device keeps passcode secrets. The default is false.
  var keepsPasscodeSecrets: Bool { get }

  /// Creates a secret that this device reveals only for an authorization value, such as one derived
  /// from a passcode, and counts the wrong values.
  ///
  /// - Parameter authorization: 32 bytes.
  /// - Returns: The secret, encrypted by the device, at most 1,024 bytes. It is empty if the device
  ///   cannot check a value by itself, as by default.
  /// - Throws: ``AtRestError`` if the device cannot be used.
  func makePasscodeSecret(authorization: borrowing SecretBytes) throws -> Data

  /// Mixes the device key and a passcode secret into other key material.
  ///
  /// - Parameters:
  ///   - passcodeSecret: What ``makePasscodeSecret(authorization:)`` returned. If it is empty, the
  ///     result is that of ``tangle(_:purpose:)``.
  ///   - authorization: The value for which the device reveals the secret, 32 bytes.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the value is wrong;
  ///   ``AtRestError/Code/throttled`` if the device accepts none at present; ``AtRestError`` if the
  ///   device cannot be used.
  func tangle(
    _ input: borrowing SecretBytes, passcodeSecret: Data,
    authorization: borrowing SecretBytes, purpose: Purpose
  ) throws -> SecretBytes

  /// Returns the data remembered under a name, or nil if there is none.
  ///
  /// The name consists of letters, digits, `-` and `.`.
  func recall(_ name: String) throws -> Data?

  /// Remembers up to 4,160 bytes under a name, outside the store. Such data reveals a store that was
  /// put back to an older state.
  ///
  /// - Parameters:
  ///   - durably: True if the data must survive power loss once the call returns.
  func remember(_ data: Data, as name: String, durably: Bool) throws

  /// Durably replaces the data remembered under a name with up to 128 secret bytes, and erases the
  /// earlier data.
  ///
  /// Wiping a store relies on this method: the earlier data must be gone for good when the call
  /// returns, or must be erased later if the call was interrupted. Call it only inside
  /// ``exclusively(_:_:)`` for the same name.
  func rememberErasing(_ data: Data, as name: String) throws

  /// Frees what the device's hardware keeps for the secrecy of the data remembered under a name. The data
  /// stays, and is not secret any more. Does nothing by default.
  func releaseHardware(for name: String) throws

  /// Runs a closure while holding the device's lock for a name, which excludes all other threads
  /// and processes of this device.
  ///
  /// Passcode attempts are counted under this lock. It belongs to the device, not to the store, so
  /// that copies of a store share one count. Waiting for the lock must end after some time.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if the lock is held elsewhere for too long; the error of
  ///   `body`.
  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result

  /// Forgets the data remembered under a name.
  func forget(_ name: String) throws

  /// The key pairs that the device can make and never reveals, or nil if it has no such hardware.
  var hardwareKeys: (any HardwareKeyProvider)? { get }

  /// The protections that this provider cannot provide.
  var risks: [StoreRisk] { get }
}

extension DeviceKeyProvider {
  public func releaseHardware(for name: String) throws {}

  public var keepsPasscodeSecrets: Bool { false }

  /// No secret.
  public func makePasscodeSecret(authorization: borrowing SecretBytes) throws -> Data { Data() }

  /// Mixes in the device key alone.
  ///
  /// - Throws: ``AtRestError/Code/otherDevice`` if there is a passcode secret, which another device
  ///   made.
  public func tangle(
    _ input: borrowing SecretBytes, passcodeSecret: Data,
    authorization: borrowing SecretBytes, purpose: Purpose
  ) throws -> SecretBytes {
    guard passcodeSecret.isEmpty else {
      throw AtRestError(
        .otherDevice, "The passcode's secret is in a TPM, and this device has none.",
        remedy: "Use the device folder that belongs to the store, on its machine, or restore a "
          + "backup.")
    }
    return try tangle(input, purpose: purpose)
  }
}
