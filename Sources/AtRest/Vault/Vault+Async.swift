import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The asynchronous forms of the calls, which have the same names and run off the caller's actor.
/// The form of a property is a method: `try await vault.accounts()`.
extension Vault {
  /// Opens a vault, off the caller's actor.
  public static func open(
    in folder: URL, keychain: Keychain, options: Options = Options()
  ) async throws -> Vault {
    try await offActor { try Vault.open(in: folder, keychain: keychain, options: options) }
  }

  /// Opens a vault in this process's keychain, off the caller's actor.
  public static func open(in folder: URL, options: Options = Options()) async throws -> Vault {
    try await offActor { try Vault.open(in: folder, options: options) }
  }

  /// Unlocks the store that holds the vault's items, off the caller's actor.
  public func unlock(passcode: borrowing SecretBytes) async throws {
    let passcode = SecretBox(passcode.duplicate())
    try await offActor { try self.unlock(passcode: passcode.bytes) }
  }

  /// Unlocks a store that has no passcode, off the caller's actor.
  public func unlock() async throws { try await offActor { try self.unlock() } }

  /// Returns the compartment of the device itself, off the caller's actor.
  public func device() async throws -> Compartment { try await offActor { try self.device } }

  /// Returns the compartment of an account, off the caller's actor.
  public func logIn(_ name: String) async throws -> Compartment {
    try await offActor { try self.logIn(name) }
  }

  /// Returns the names of the accounts that are logged in, off the caller's actor.
  public func accounts() async throws -> [String] { try await offActor { try self.accounts } }

  /// Returns the protections that this device and process lack, off the caller's actor.
  public func risks() async throws -> [StoreRisk] { try await offActor { self.risks } }

  /// Checks the running program, off the caller's actor.
  @discardableResult
  public func checkRuntime() async throws -> RuntimeReport {
    try await offActor { try self.checkRuntime() }
  }

  /// Removes expired values, off the caller's actor.
  @discardableResult
  public func purge() async throws -> Int { try await offActor { try self.purge() } }

  /// Accepts the system's time as correct, off the caller's actor.
  public func trustSystemClock() async throws { try await offActor { try self.trustSystemClock() } }

  /// Empties this process's shared caches of responses, cookies and credentials, off the caller's
  /// actor.
  public func clearResponseCaches() async throws {
    try await offActor { try self.clearResponseCaches() }
  }

  /// Destroys every value at once, off the caller's actor.
  public func wipe() async throws { try await offActor { try self.wipe() } }
}
