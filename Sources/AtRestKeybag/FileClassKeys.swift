import AtRestCrypto
import Foundation

/// The class keys of a store, as protected files use them: those that are in memory here, or otherwise
/// those of the agent that serves the store.
///
/// The agent is asked only by a process that has not unlocked the store itself, and only for what this
/// process cannot do: class D, and wrapping for class B, need no unlock.
package struct FileClassKeys: Sendable {
  private let keybag: Keybag
  private let usesAgent: Bool

  package init(_ keybag: Keybag, usesAgent: Bool) {
    self.keybag = keybag
    self.usesAgent = usesAgent
  }

  /// Wraps the key of a file.
  ///
  /// - Parameter file: The name of the file, for the agent's audit log.
  /// - Throws: The error of `Keybag.refusal(of:)`; the agent's refusal.
  package func wrap(
    _ key: borrowing SecretBytes, under keyClass: KeyClass, file: String
  ) throws -> Data {
    if keyClass != .completeUnlessOpen, needsAgent(for: keyClass) {
      let request = FileKeyRequest.wrap(
        key, under: keyClass, file: file, store: keybag.store)
      if let wrapped = try keybag.askAgent(request) { return Data(copying: wrapped) }
    }
    return try keybag.wrap(key, under: keyClass)
  }

  /// Unwraps the key of a file.
  ///
  /// - Parameter origin: The store that wrapped the key.
  /// - Throws: ``AtRestError/Code/damaged``; the error of `Keybag.refusal(of:)`; the agent's refusal;
  ///   ``AtRestError/Code/notPermitted`` if the keybag has no keys of the store.
  package func unwrap(
    _ wrapped: Data, under keyClass: KeyClass, from origin: StoreIdentity, file: String
  ) throws -> SecretBytes {
    if needsAgent(for: keyClass) {
      let request = FileKeyRequest.unwrap(
        wrapped, under: keyClass, file: file, store: keybag.store, origin: origin)
      if let key = try keybag.askAgent(request) { return key }
    }
    return try keybag.unwrap(
      wrapped, under: keyClass, from: origin, name: "The key of \(file)")
  }

  /// Throws if the key of an open file may not be used now.
  ///
  /// If the class key is the agent's, this call does not ask. A key that ``mayKeepKey(of:)`` does not
  /// allow to be kept must be unwrapped again, which asks.
  package func checkUse(of keyClass: KeyClass) throws {
    guard !keybag.isAvailable(keyClass), !needsAgent(for: keyClass) else { return }
    throw keybag.refusal(of: keyClass)
  }

  /// Returns false if the store may have been locked since the key of a file was unwrapped.
  package func mayKeepKey(of keyClass: KeyClass) -> Bool {
    keybag.isAvailable(keyClass) || needsAgent(for: keyClass) && keybag.agentLook == .unlocked
  }

  private func needsAgent(for keyClass: KeyClass) -> Bool {
    usesAgent && keybag.awaitsFirstUnlock && !keybag.isAvailable(keyClass)
  }
}
