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
  ///   - input: The other key material, of any length. Inputs that differ in length alone differ.
  ///   - purpose: Keeps results for different purposes apart.
  /// - Throws: ``AtRestError`` if the key cannot be used.
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

  /// Remembers up to 128 bytes that are a secret, durably, in place of what was remembered before.
  ///
  /// What was remembered before must be gone for good when the call returns, or must be erased later
  /// where the call was interrupted: stores are made unreadable by this. Callers are inside of
  /// ``exclusively(_:_:)`` for the name.
  func rememberErasing(_ data: Data, as name: String) throws

  /// Runs a piece of work while no other thread or process of this device does so for the same name.
  ///
  /// Attempts at a passcode are counted inside of it, so that copies of a store share one count. The
  /// lock therefore belongs to the device, not to the store. A wait for it has to end after some time.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if others hold the lock for too long; what `body` throws.
  func exclusively<Result: ~Copyable>(
    _ name: String, _ body: () throws -> Result
  ) throws -> Result

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
