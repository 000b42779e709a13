import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// Protects files with a key that the caller keeps. Destroying that key makes the files unreadable.
///
/// If a class is given, only a copy of the key that is wrapped with the class key is kept, so a
/// lock removes the key from memory too. If the class key is the agent's, the key itself is kept until
/// the agent locks the store, and the file must then be opened again.
///
/// This type does not register for locks, because there is one value per file. The owner of the
/// handles must lock them.
package struct HeldFileKeys: FileKeys {
  private enum Kept {
    case key(SecretBox)
    case wrapped(Data, Keybag, KeyClass)
    case served(ServedKey)
  }
  private let kept: Kept
  private let fingerprint: Data

  /// - Parameters:
  ///   - key: The key, 32 bytes.
  ///   - lock: A store and one of its classes, or nil. While the class is locked, open files cannot
  ///     be read either.
  ///   - usesAgent: True if the key may come from the agent that serves the store.
  /// - Throws: ``AtRestError/Code/locked`` if the class is locked now.
  package init(
    _ key: SecretBox, lockedWith lock: (keybag: Keybag, keyClass: KeyClass)?,
    usesAgent: Bool = false
  ) throws {
    if let (keybag, keyClass) = lock {
      kept =
        if usesAgent, try keybag.mayKeepFromAgent(keyClass) {
          .served(ServedKey(key, keybag, keyClass))
        } else {
          .wrapped(try keybag.wrap(key.bytes, under: keyClass), keybag, keyClass)
        }
    } else {
      kept = .key(key)
    }
    fingerprint = Data(copying: key.bytes.derive(.fileHeldName, count: KeySlot.fingerprintCount))
  }

  package func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?, name: String
  ) throws -> [KeySlot] {
    try refuseClass(protection)
    try checkUse(of: [])
    return [.key(fingerprint: fingerprint, wrapped: try wrappingKey().wrap(key))]
  }

  package func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes {
    try checkUse(of: slots)
    for case .key(fingerprint, let wrapped) in slots {
      return try wrappingKey().unwrap(wrapped, name: "The key of \(name)")
    }
    throw AtRestError(
      .notPermitted, "\(name) is protected with \(KeySlot.summary(of: slots)).",
      remedy: "Use that instead.")
  }

  package func checkStore() throws { try keybag?.checkPresent(reading: true) }

  package func checkKept() throws { try keybag?.checkKept() }

  private var keybag: Keybag? {
    switch kept {
    case .key: nil
    case .wrapped(_, let keybag, _): keybag
    case .served(let key): key.keybag
    }
  }

  package func checkUse(of slots: [KeySlot]) throws {
    switch kept {
    case .key: return
    case .wrapped(_, let keybag, let keyClass):
      guard keybag.isAvailable(keyClass) else { throw keybag.refusal(of: keyClass) }
    case .served(let key): _ = try key.get()
    }
  }

  private func wrappingKey() throws -> WrappingKey {
    switch kept {
    case .key(let key): try WrappingKey(key.bytes.derive(.fileHeldWrap))
    case .wrapped(let wrapped, let keybag, let keyClass):
      try WrappingKey(
        keybag.unwrap(wrapped, under: keyClass, name: "The key of an open file")
          .derive(.fileHeldWrap))
    case .served(let key): try WrappingKey(key.get().bytes.derive(.fileHeldWrap))
    }
  }
}

/// The key of an open file that came from the agent.
private final class ServedKey: Sendable {
  private let key: Mutex<SecretBox?>
  let keybag: Keybag
  private let keyClass: KeyClass

  init(_ key: SecretBox, _ keybag: Keybag, _ keyClass: KeyClass) {
    self.key = Mutex(key)
    self.keybag = keybag
    self.keyClass = keyClass
  }

  /// Returns the key, or erases it if the store was locked.
  ///
  /// - Throws: ``AtRestError/Code/locked``.
  func get() throws -> SecretBox {
    let mayKeep = keybag.mayStillKeepFromAgent(keyClass)
    let kept = key.withLock { key in
      if !mayKeep { key = nil }
      return key
    }
    if let kept { return kept }
    throw AtRestError(
      .locked, "The store was locked after the file was opened.",
      remedy: "Unlock it, and open the file again.")
  }
}

extension Purpose {
  fileprivate static let fileHeldWrap = Purpose("atrest.file.held-wrap.v1")
  fileprivate static let fileHeldName = Purpose("atrest.file.held-name.v1")
}
