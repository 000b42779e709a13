import AtRestCrypto
import Foundation

/// The sets of class keys, and the keys that other modules derive from them.
///
/// A store begins with set 1, and setting a passcode on a store that has none adds a new set. The current set seals new
/// data. The former sets are kept to read the data that they sealed.
extension Keybag {
  /// The number of the current set of class keys.
  package var keySet: UInt32 { state.withLock { $0.file.present.number } }

  /// Derives a key for another purpose from a class key, so that no class key serves two purposes.
  ///
  /// - Parameter set: The set of class keys. nil selects the current one.
  /// - Throws: ``AtRestError/Code/damaged`` if the keybag has no such set, or if the key was
  ///   destroyed with the passcode; the error of ``refusal(of:)`` if the key is not in memory.
  package func derive(
    _ purpose: Purpose, from keyClass: KeyClass, set: UInt32? = nil, context: Data = Data()
  ) throws -> SecretBytes {
    try key(for: keyClass, set: set).bytes.derive(purpose, context: context)
  }

  /// Derives a key that never changes and is always available while the store is open.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if the keybag is closed; ``AtRestError/Code/wiped`` or
  ///   ``AtRestError/Code/otherStore`` if its store is gone.
  package func deriveFromIndexKey(
    _ purpose: Purpose, context: Data = Data()
  ) throws -> SecretBytes {
    let key = try state.withLock { state in
      guard let key = state.indexKey else { throw refusalWithoutKeys(state) }
      return key
    }
    return key.bytes.derive(purpose, context: context)
  }

  /// Returns true if the key of a class is in memory.
  ///
  /// - Parameter set: The set of class keys. nil selects the current one.
  package func isAvailable(_ keyClass: KeyClass, set: UInt32? = nil) -> Bool {
    state.withLock { $0.keys[set ?? $0.keys.present, keyClass] != nil }
  }

  /// Returns the keys of a class that are in memory, the current key first.
  ///
  /// - Throws: The error of ``refusal(of:)`` if the current key is not in memory.
  func keys(for keyClass: KeyClass) throws -> [(set: UInt32, key: SecretBox)] {
    let keys = state.withLock { $0.keys[keyClass] == nil ? [] : $0.keys.all(of: keyClass) }
    guard !keys.isEmpty else { throw refusal(of: keyClass) }
    return keys
  }

  private func key(for keyClass: KeyClass, set: UInt32?) throws -> SecretBox {
    guard let set else { return try key(for: keyClass) }
    let (key, isKnown, isKept) = state.withLock { state in
      (
        state.keys[set, keyClass], state.file.sets.contains { $0.number == set },
        state.file.entry(keyClass, set: set) != nil
      )
    }
    if let key { return key }
    guard isKnown else {
      throw AtRestError.damaged(
        "The keybag in \(storage.location) has no set \(set) of class keys.")
    }
    guard isKept || set == keySet else {
      throw AtRestError.damaged(
        "The key of class \(keyClass.name) in set \(set) was destroyed with its passcode.",
        remedy: "The data that it protected cannot be read again.")
    }
    throw refusal(of: keyClass)
  }
}
