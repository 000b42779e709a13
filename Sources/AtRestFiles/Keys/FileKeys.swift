import AtRestCrypto
import AtRestKeybag
import Foundation

/// Who can read files: wraps the key of a new file, and unwraps that of a stored one.
package protocol FileKeys: Sendable {
  /// The class of new files, where there are classes.
  var protection: FileProtection? { get }

  /// Wraps a file's key for everybody who shall read it.
  ///
  /// - Throws: Where the protection asked for cannot be given: ``AtRestError/Code/locked``,
  ///   ``AtRestError/Code/invalidArgument``.
  func wrap(_ key: borrowing SecretBytes, protection: FileProtection?) throws -> [KeySlot]

  /// Unwraps a file's key.
  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes

  /// Unwraps a file's key: of several slots for the same reader, the first that gives the right key. One
  /// that was broken, or that wraps another key, denies nothing to the reader of the next.
  ///
  /// - Parameter isRight: Whether a key is the file's. Where none is, a wrong one may be the result.
  func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes

  /// Throws where the key of an open file may not be used now.
  func checkUse(of slots: [KeySlot]) throws

  /// Runs at each lock.
  func onLock(_ body: @escaping @Sendable () -> Void)
}

extension FileKeys {
  package var protection: FileProtection? { nil }
  package func checkUse(of slots: [KeySlot]) throws {}
  package func onLock(_ body: @escaping @Sendable () -> Void) {}

  // Where there can be one slot alone.
  package func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes { try unwrap(slots, name: name) }

  /// Tries slots in turn.
  ///
  /// - Parameter open: Gives the key of a slot, or nil where the slot is for somebody else.
  /// - Returns: The first right key, or else a wrong one, or nil where no slot was opened.
  /// - Throws: Where no slot gave a key: that a class is locked, or else why the first slot failed.
  func firstKey(
    of slots: [KeySlot], accepting isRight: (borrowing SecretBytes) -> Bool,
    _ open: (KeySlot) throws -> SecretBytes?
  ) throws -> SecretBytes? {
    var wrong: SecretBox?
    var refusal: AtRestError?
    for slot in slots {
      do {
        guard let key = try open(slot) else { continue }
        if isRight(key) { return key }
        if wrong == nil { wrong = SecretBox(key) }
      } catch let error as AtRestError where error.refusal == .damaged || error.code == .locked {
        if refusal == nil || (refusal?.code != .locked && error.code == .locked) { refusal = error }
      }
    }
    if let refusal, refusal.code == .locked { throw refusal }
    if let wrong { return wrong.bytes.duplicate() }
    if let refusal { throw refusal }
    return nil
  }

  func refuseClass(_ protection: FileProtection?) throws {
    guard protection == nil else {
      throw AtRestError.invalid(
        "Only a store has protection classes; these files are protected without one.",
        remedy: "Leave the class out, or protect the file with a store (Keybag).")
    }
  }
}

extension KeySlot {
  /// Names the way in, for messages and `inspect`.
  var summary: String {
    switch self {
    case .store(let protection, _, _): "class \(protection.rawValue) of a store"
    case .passphrase: "a passphrase"
    case .recipient(let algorithm, let fingerprint, _, _):
      "the \(algorithm.name) key \(fingerprint.hexadecimal)"
    case .key(let fingerprint, _): "the key \(fingerprint.hexadecimal), which is kept elsewhere"
    }
  }

  static func summary(of slots: [KeySlot]) -> String {
    slots.prefix(3).map(\.summary).joined(separator: ", ")
      + (slots.count > 3 ? " and \(slots.count - 3) more" : "")
  }
}

extension Data {
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: 2 * count) { text in
      for (index, byte) in enumerated() {
        text[2 * index] = digits[Int(byte >> 4)]
        text[2 * index + 1] = digits[Int(byte & 15)]
      }
      return 2 * count
    }
  }
}

// MARK: - A store

/// Files of a store, under its class keys.
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
        remedy: "Name its store (--store, ATREST_STORE).")
    }
    throw AtRestError(
      .notPermitted, "\(name) is protected with \(KeySlot.summary(of: slots)), not with a store.",
      remedy: "Give that instead.")
  }

  func checkUse(of slots: [KeySlot]) throws {
    for case .store(let protection, _, _) in slots where protection == .complete {
      guard keybag.isAvailable(.complete) else { throw keybag.refusal(of: .complete) }
    }
    // What every store that is open has.
    guard keybag.isAvailable(.noProtection) else { throw keybag.refusal(of: .noProtection) }
  }

  func onLock(_ body: @escaping @Sendable () -> Void) { keybag.onLock(body) }
}
