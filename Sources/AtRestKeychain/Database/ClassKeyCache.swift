import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// A cache of the keys that are derived from each class key for items: one key wraps item keys, the
/// others seal metadata.
///
/// The keys are cached while the class key is in memory, and erased when the store is locked.
final class ClassKeyCache: Sendable {
  /// The name of a derived key.
  private struct Name: Hashable {
    var keyClass: UInt8
    var set: UInt32
    /// The epoch of a key that seals metadata (see ``IndexKeys/epoch(of:)``), or nil for the key
    /// that wraps item keys.
    var epoch: UInt64?
  }

  private struct State {
    var keys: [Name: SecretBox] = [:]
    /// The number of the set of class keys under which the items in the database are sealed.
    var set: UInt32 = 1
    /// The number of times that the store was locked. A key is not cached if the store was locked
    /// while the key was derived.
    var locks = 0
  }

  private let keybag: Keybag
  private let state = Mutex(State())

  init(_ keybag: Keybag) {
    self.keybag = keybag
    keybag.onLock { [weak self] in self?.forget() }
  }

  /// The number of the set of class keys under which the items in the database are sealed.
  var set: UInt32 {
    get { state.withLock { $0.set } }
    set { state.withLock { $0.set = newValue } }
  }

  /// True if the items of an accessibility can be opened now.
  func isAvailable(_ accessibility: Accessibility) -> Bool {
    keybag.isAvailable(accessibility.keyClass, set: set)
  }

  /// Returns the key that wraps item keys.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if the class key is not in memory.
  func wrapKey(_ accessibility: Accessibility, set: UInt32? = nil) throws -> SecretBox {
    try key(accessibility, set, epoch: nil) {
      try keybag.derive(.itemWrap, from: accessibility.keyClass, set: $0)
    }
  }

  /// Returns the key that seals the metadata of rows that a transaction wrote.
  ///
  /// - Throws: The errors of ``wrapKey(_:set:)``.
  func metadataKey(
    _ accessibility: Accessibility, generation: UInt64, set: UInt32? = nil
  ) throws -> SecretBox {
    let epoch = IndexKeys.epoch(of: generation)
    return try key(accessibility, set, epoch: epoch) {
      try keybag.derive(
        .itemMetadata, from: accessibility.keyClass, set: $0, context: epoch.contextBytes)
    }
  }

  private func key(
    _ accessibility: Accessibility, _ set: UInt32?, epoch: UInt64?,
    derive: (UInt32) throws -> SecretBytes
  ) throws -> SecretBox {
    let (name, known, locks) = state.withLock { state in
      let name = Name(
        keyClass: accessibility.keyClass.rawValue, set: set ?? state.set, epoch: epoch)
      return (name, state.keys[name], state.locks)
    }
    // The class key may have been erased a moment ago, by an event whose observers run later.
    if let known, keybag.isAvailable(accessibility.keyClass, set: name.set) { return known }
    let key = SecretBox(try derive(name.set))
    state.withLock { if $0.locks == locks { $0.keys[name] = key } }
    return key
  }

  /// Erases all keys, even if the keybag still has the class keys.
  func clear() {
    state.withLock { state in
      state.keys = [:]
      state.locks += 1
    }
  }

  private func forget() {
    state.withLock { state in
      state.keys = state.keys.filter { name, _ in
        KeyClass(rawValue: name.keyClass).map { keybag.isAvailable($0, set: name.set) } ?? false
      }
      state.locks += 1
    }
  }
}

extension Purpose {
  static let itemMetadata = Purpose("atrest.keychain.metadata.v1")
  static let itemWrap = Purpose("atrest.keychain.item-wrap.v1")
  static let lookup = Purpose("atrest.keychain.lookup.v1")
  static let index = Purpose("atrest.keychain.index.v1")
  static let indexBox = Purpose("atrest.keychain.index-box.v1")
  static let termBox = Purpose("atrest.keychain.term-box.v1")
  static let applicationPassword = Purpose("atrest.keychain.application-password.v1")
}
