import AtRestCrypto
import Foundation

/// The asynchronous forms of the calls that derive a key from the passcode or write files durably.
/// They have the same names and run off the caller's actor.
///
/// A call with a passcode takes as long as the KDF: about 0.4 s at the default cost.
extension Keybag {
  /// Creates a store with a passcode, off the caller's actor.
  public static func create(
    at folder: URL, device: any DeviceKeyProvider, passcode: borrowing SecretBytes,
    options: Options = Options()
  ) async throws -> Keybag {
    let passcode = SecretBox(passcode.duplicate())
    return try await offActor {
      try create(at: folder, device: device, passcode: passcode.bytes, options: options)
    }
  }

  /// Opens a store, off the caller's actor.
  public static func open(
    at folder: URL, device: any DeviceKeyProvider, expecting: StoreIdentity? = nil
  ) async throws -> Keybag {
    try await offActor { try open(at: folder, device: device, expecting: expecting) }
  }

  /// Brings the class keys into memory, off the caller's actor.
  public func unlock(passcode: borrowing SecretBytes) async throws {
    let passcode = SecretBox(passcode.duplicate())
    try await offActor { try self.unlock(passcode: passcode.bytes) }
  }

  /// Unlocks a store that has no passcode, off the caller's actor.
  public func unlock() async throws { try await offActor { try self.unlock() } }

  /// Checks a passcode without changing the lock state, off the caller's actor.
  public func verify(passcode: borrowing SecretBytes) async throws {
    let passcode = SecretBox(passcode.duplicate())
    try await offActor { try self.verify(passcode: passcode.bytes) }
  }

  /// Sets the first passcode, off the caller's actor.
  public func setPasscode(
    _ passcode: borrowing SecretBytes, options: Options = Options()
  ) async throws {
    let passcode = SecretBox(passcode.duplicate())
    try await offActor { try self.setPasscode(passcode.bytes, options: options) }
  }

  /// Replaces the passcode, off the caller's actor.
  public func changePasscode(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes, kdf: PasswordKDF? = nil,
    allowsWeakPasscode: Bool = false
  ) async throws {
    let (old, new) = (SecretBox(old.duplicate()), SecretBox(new.duplicate()))
    try await offActor {
      try self.changePasscode(
        from: old.bytes, to: new.bytes, kdf: kdf, allowsWeakPasscode: allowsWeakPasscode)
    }
  }

  /// Removes the passcode, off the caller's actor.
  public func removePasscode(_ passcode: borrowing SecretBytes) async throws {
    let passcode = SecretBox(passcode.duplicate())
    try await offActor { try self.removePasscode(passcode.bytes) }
  }
}
