import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// The keys derived from each class key for items: one seals metadata, one wraps item keys.
///
/// Cached while the class key is in memory, and erased at the lock.
final class ClassKeyCache: Sendable {
  struct Keys: Sendable {
    let metadata: SecretBox
    let wrap: SecretBox
  }

  private struct State {
    var keys: [UInt8: Keys] = [:]
    /// Raised at each lock, so that keys derived just before are not put back after.
    var locks = 0
  }

  private let keybag: Keybag
  private let state = Mutex(State())

  init(_ keybag: Keybag) {
    self.keybag = keybag
    keybag.onLock { [weak self] in self?.forget() }
  }

  /// - Throws: ``AtRestError/Code/locked`` where the class key is not in memory.
  func keys(_ accessibility: Accessibility) throws -> Keys {
    let keyClass = accessibility.keyClass
    let (known, locks) = state.withLock { ($0.keys[keyClass.rawValue], $0.locks) }
    if let known { return known }
    let keys = Keys(
      metadata: SecretBox(try keybag.derive(.itemMetadata, from: keyClass)),
      wrap: SecretBox(try keybag.derive(.itemWrap, from: keyClass)))
    state.withLock { if $0.locks == locks { $0.keys[keyClass.rawValue] = keys } }
    return keys
  }

  /// Erases all keys, whatever the keybag still has.
  func clear() {
    state.withLock { state in
      state.keys = [:]
      state.locks += 1
    }
  }

  private func forget() {
    state.withLock { state in
      state.keys = state.keys.filter { number, _ in
        KeyClass(rawValue: number).map(keybag.isAvailable) ?? false
      }
      state.locks += 1
    }
  }
}

extension Purpose {
  static let itemMetadata = Purpose("atrest.keychain.metadata.v1")
  static let itemWrap = Purpose("atrest.keychain.item-wrap.v1")
  static let lookup = Purpose("atrest.keychain.lookup.v1")
  static let generationTree = Purpose("atrest.keychain.generation-tree.v1")
  static let applicationPassword = Purpose("atrest.keychain.application-password.v1")
}
