import AtRestCrypto
import AtRestKeybag
import Foundation

/// Protects files with the class keys of a store.
struct StoreFileKeys: FileKeys {
  private let keybag: Keybag
  private let classKeys: FileClassKeys
  private let defaultProtection: FileProtection
  var protection: FileProtection? { defaultProtection }
  var mayAskAgent: Bool { keybag.awaitsFirstUnlock }

  init(_ keybag: Keybag, defaultProtection: FileProtection, usesAgent: Bool) {
    self.keybag = keybag
    self.defaultProtection = defaultProtection
    classKeys = FileClassKeys(keybag, usesAgent: usesAgent)
  }

  func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?, name: String
  ) throws -> [KeySlot] {
    let protection = protection ?? defaultProtection
    let wrapped = try classKeys.wrap(key, under: protection.keyClass, file: name)
    return [.store(protection: protection, store: keybag.store.bytes, wrapped: wrapped)]
  }

  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes {
    try unwrap(slots, name: name) { _ in true }
  }

  func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes {
    var otherStore: StoreIdentity?
    let found = try firstKey(of: slots, accepting: isRight) { slot in
      guard case .store(let protection, let bytes, let wrapped) = slot else { return nil }
      let origin = StoreIdentity(bytes)
      guard try keybag.opensFiles(of: origin) else {
        otherStore = origin
        return nil
      }
      return try classKeys.unwrap(wrapped, under: protection.keyClass, from: origin, file: name)
    }
    if let found { return found }
    if let otherStore {
      throw AtRestError(
        .notPermitted, "\(name) belongs to another store, \(otherStore).",
        remedy: "Use that store (--store, ATREST_STORE), or restore its backup into this one.")
    }
    throw AtRestError(
      .notPermitted, "\(name) is protected with \(KeySlot.summary(of: slots)), not with a store.",
      remedy: "Use that instead.")
  }

  func checkStore() throws { try keybag.checkPresent(reading: true) }

  func checkKept() throws { try keybag.checkKept() }

  func checkUse(of slots: [KeySlot]) throws {
    if Self.needsUnlockedStore(slots) { try classKeys.checkUse(of: .complete) }
    // Every open store has the key of this class.
    guard keybag.isAvailable(.noProtection) else { throw keybag.refusal(of: .noProtection) }
  }

  func mayKeepKey(of slots: [KeySlot]) -> Bool {
    keybag.isAvailable(.noProtection)
      && (!Self.needsUnlockedStore(slots) || classKeys.mayKeepKey(of: .complete))
  }

  /// True if an open file can be used only while the store is unlocked.
  private static func needsUnlockedStore(_ slots: [KeySlot]) -> Bool {
    slots.contains { if case .store(.complete, _, _) = $0 { true } else { false } }
  }

  func onLock(_ body: @escaping @Sendable () -> Void) { keybag.onLock(body) }
}
