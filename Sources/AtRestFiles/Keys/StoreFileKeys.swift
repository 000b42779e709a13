import AtRestCrypto
import AtRestKeybag
import Foundation

/// Protects files with the class keys of a store.
struct StoreFileKeys: FileKeys {
  let keybag: Keybag
  let defaultProtection: FileProtection
  var protection: FileProtection? { defaultProtection }

  func wrap(_ key: borrowing SecretBytes, protection: FileProtection?) throws -> [KeySlot] {
    let protection = protection ?? defaultProtection
    let wrapped =
      protection == .completeUnlessOpen
      ? try keybag.wrapUnlessOpen(key) : try keybag.wrap(key, under: protection.keyClass)
    return [.store(protection: protection, store: keybag.store.bytes, wrapped: wrapped)]
  }

  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes {
    try unwrap(slots, name: name) { _ in true }
  }

  func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes {
    var isOfAnotherStore = false
    let found = try firstKey(of: slots, accepting: isRight) { slot in
      guard case .store(let protection, let store, let wrapped) = slot else { return nil }
      guard store == keybag.store.bytes else {
        isOfAnotherStore = true
        return nil
      }
      let name = "The key of \(name)"
      return protection == .completeUnlessOpen
        ? try keybag.unwrapUnlessOpen(wrapped, name: name)
        : try keybag.unwrap(wrapped, under: protection.keyClass, name: name)
    }
    if let found { return found }
    guard !isOfAnotherStore else {
      throw AtRestError(
        .notPermitted, "\(name) belongs to another store.",
        remedy: "Use that store (--store, ATREST_STORE).")
    }
    throw AtRestError(
      .notPermitted, "\(name) is protected with \(KeySlot.summary(of: slots)), not with a store.",
      remedy: "Use that instead.")
  }

  func checkUse(of slots: [KeySlot]) throws {
    for case .store(let protection, _, _) in slots where protection == .complete {
      guard keybag.isAvailable(.complete) else { throw keybag.refusal(of: .complete) }
    }
    // Every open store has the key of this class.
    guard keybag.isAvailable(.noProtection) else { throw keybag.refusal(of: .noProtection) }
  }

  func onLock(_ body: @escaping @Sendable () -> Void) { keybag.onLock(body) }
}
