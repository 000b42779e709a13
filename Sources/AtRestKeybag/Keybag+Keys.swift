import AtRestCrypto
import Foundation

/// The sets of class keys, and the keys that the stores above derive from them.
///
/// A store begins with set 1, and each first passcode draws a new set. The present set seals new
/// data; former sets are kept to read what they sealed.
extension Keybag {
  /// The number of the present set of class keys.
  package var keySet: UInt32 { 1 }

  /// Derives a key for another use of a class key, so that no class key serves two purposes.
  ///
  /// - Parameter set: The set of class keys; nil stands for the present one.
  /// - Throws: ``AtRestError/Code/damaged`` where the keybag has no such set; otherwise as
  ///   ``refusal(of:)`` says.
  package func derive(
    _ purpose: Purpose, from keyClass: KeyClass, set: UInt32? = nil, context: Data = Data()
  ) throws -> SecretBytes {
    if let set, set != keySet { throw unknown(set: set) }
    return try key(for: keyClass).bytes.derive(purpose, context: context)
  }

  /// Derives a key that never changes and is always available while the store is open.
  ///
  /// - Throws: ``AtRestError/Code/locked`` where the keybag is closed.
  package func deriveFromIndexKey(
    _ purpose: Purpose, context: Data = Data()
  ) throws -> SecretBytes {
    try key(for: .alwaysThisDeviceOnly).bytes.derive(purpose, context: context)
  }

  /// Whether the key of a class is in memory.
  ///
  /// - Parameter set: The set of class keys; nil stands for the present one.
  package func isAvailable(_ keyClass: KeyClass, set: UInt32? = nil) -> Bool {
    if let set, set != keySet { return false }
    return state.withLock { $0.keys[keyClass] != nil }
  }

  /// The keys of a class that are in memory, the present one first.
  ///
  /// - Throws: What ``refusal(of:)`` says where the present one is not in memory.
  func keys(for keyClass: KeyClass) throws -> [(set: UInt32, key: SecretBox)] {
    [(keySet, try key(for: keyClass))]
  }

  func unknown(set: UInt32) -> AtRestError {
    .damaged("The keybag in \(storage.location) has no set \(set) of class keys.")
  }
}
