import AtRestCrypto
import Foundation

/// Holds a device's own key, which it uses and never gives out, and what the device remembers of
/// its stores.
///
/// Everything in a store is bound to this key: a folder that is copied to another machine does not
/// open there. ``FileDeviceKey`` keeps it in a file; providers over a TPM or a secure element
/// conform to the same protocol.
///
/// Every method may be called from several threads at once.
public protocol DeviceKeyProvider: Sendable {
  /// Mixes the device key into other key material: a pseudorandom function of both, 32 bytes.
  ///
  /// - Parameters:
  ///   - input: The other key material.
  ///   - purpose: Keeps results for different purposes apart.
  /// - Throws: ``AtRestError`` where the key cannot be used.
  func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes

  /// What was remembered under a name, or nil.
  ///
  /// The name has letters, digits, `-` and `.` only.
  func recall(_ name: String) throws -> Data?

  /// Remembers up to 128 bytes under a name outside of the store, so that a store that was put back
  /// to an older state is found out.
  ///
  /// - Parameters:
  ///   - durably: Whether it must survive power loss when the call returns.
  func remember(_ data: Data, as name: String, durably: Bool) throws

  /// Forgets what was remembered under a name.
  func forget(_ name: String) throws

  /// What this provider cannot give.
  var risks: [Risk] { get }
}

/// Something that this device or store cannot give, in words for its user.
public struct Risk: Hashable, Sendable, Codable {
  /// A stable name, such as `no-passcode`.
  public let id: String
  /// What follows from it.
  public let message: String
  /// What to do about it.
  public let remedy: String

  /// Makes a risk.
  public init(id: String, message: String, remedy: String) {
    self.id = id
    self.message = message
    self.remedy = remedy
  }
}
