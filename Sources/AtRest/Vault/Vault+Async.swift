import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// The asynchronous forms of calls for which a user waits, which have the same names and run off the caller's actor.
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

  /// Returns the compartment of an account, off the caller's actor.
  public func logIn(_ name: String) async throws -> Compartment {
    try await offActor { try self.logIn(name) }
  }
}
