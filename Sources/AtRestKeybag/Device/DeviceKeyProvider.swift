import AtRestCrypto
import Foundation

/// A provider of a device's own key. It uses the key without giving it out, and remembers the state
/// of the device's stores.
///
/// Everything in a store is bound to this key: a folder that is copied to another machine does not
/// open there. ``FileDeviceKey`` keeps the key in a file. Providers over a TPM or a secure element
/// conform to the same protocol.
///
/// Every method may be called from several threads at once.
public protocol DeviceKeyProvider: Sendable {
  /// Mixes the device key into other key material: a pseudorandom function of both, 32 bytes.
  ///
  /// - Parameters:
  ///   - input: The other key material, of any length. Inputs that differ only in length give
  ///     different results.
  ///   - purpose: The purpose, which separates the results for different uses.
  /// - Throws: ``AtRestError`` if the key cannot be used.
  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes

  /// Returns the data remembered under a name, or nil.
  ///
  /// The name consists of letters, digits, `-` and `.`.
  func recall(_ name: String) throws -> Data?

  /// Remembers up to 128 bytes under a name, outside the store. This detects a store that was put
  /// back to an older state.
  ///
  /// - Parameters:
  ///   - durably: True if the data must survive power loss once the call returns.
  func remember(_ data: Data, as name: String, durably: Bool) throws

  /// Remembers up to 128 secret bytes, durably, in place of the data remembered before.
  ///
  /// This operation makes stores unreadable: the earlier data must be gone for good when the call
  /// returns, or must be erased later if the call was interrupted. Callers are inside
  /// ``exclusively(_:_:)`` for the name.
  func rememberErasing(_ data: Data, as name: String) throws

  /// Runs a closure while no other thread or process of this device does so for the same name.
  ///
  /// Attempts at a passcode are counted inside it, so copies of a store share one count. The lock
  /// therefore belongs to the device, not to the store. Waiting for the lock must end after some
  /// time.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if the lock is held elsewhere for too long; the error of
  ///   `body`.
  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result

  /// Forgets the data remembered under a name.
  func forget(_ name: String) throws

  /// The protections that this provider cannot provide.
  var risks: [StoreRisk] { get }
}
