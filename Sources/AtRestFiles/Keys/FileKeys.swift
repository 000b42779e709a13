@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation

/// The keys of a file's readers. They wrap the key of a new file, and unwrap the key of a stored
/// file.
package protocol FileKeys: Sendable {
  /// The default class of new files, or nil if these keys have no classes.
  var protection: FileProtection? { get }

  /// Wraps a file's key for all of its readers.
  ///
  /// - Parameter name: The name of the file, for messages.
  /// - Throws: An error if the requested protection is not available: ``AtRestError/Code/locked``,
  ///   ``AtRestError/Code/invalidArgument``.
  func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?, name: String
  ) throws -> [KeySlot]

  /// Unwraps a file's key.
  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes

  /// Unwraps a file's key. If several slots are for the same reader, the first that yields the
  /// right key is used. A slot that was damaged, or wraps another key, does not prevent the use of
  /// the next one.
  ///
  /// - Parameter isRight: A closure that returns true for the file's key. If it accepts no key, a
  ///   wrong key may be returned.
  func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes

  /// Throws if the store of these keys was wiped, replaced or removed. Call this before contents are
  /// given out or written.
  func checkStore() throws

  /// Throws if the store was wiped, replaced or removed while something was written, so that nobody can
  /// ever open it.
  func checkKept() throws

  /// Throws if the key of an open file may not be used now.
  func checkUse(of slots: [KeySlot]) throws

  /// Returns false if the key of an open file must be erased, and unwrapped again for the next use.
  func mayKeepKey(of slots: [KeySlot]) -> Bool

  /// True if a call may wait for the agent that serves the store.
  var mayAskAgent: Bool { get }

  /// Registers a closure that runs each time the store locks.
  func onLock(_ body: @escaping @Sendable () -> Void)
}

extension FileKeys {
  package var protection: FileProtection? { nil }
  package var mayAskAgent: Bool { false }
  package func checkStore() throws {}
  package func checkKept() throws {}
  package func checkUse(of slots: [KeySlot]) throws {}
  package func mayKeepKey(of slots: [KeySlot]) -> Bool { (try? checkUse(of: slots)) != nil }
  package func onLock(_ body: @escaping @Sendable () -> Void) {}

  // For keys that can open only one slot of a file.
  package func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes { try unwrap(slots, name: name) }

  /// Tries slots in turn.
  ///
  /// - Parameter open: A closure that returns the key of a slot, or nil if the slot is for another
  ///   reader.
  /// - Returns: The first key that `isRight` accepts. If it accepts none, the first other key, or
  ///   nil if every slot is for another reader.
  /// - Throws: ``AtRestError/Code/locked`` if `isRight` accepts no key and the class of a slot is
  ///   locked; otherwise, if no slot yielded a key, the error of the first damaged slot.
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
        remedy: "Omit the protection class, or protect the file with a store's keybag.")
    }
  }
}

extension KeySlot {
  /// The reader in words, for messages and `inspect`.
  var summary: String {
    switch self {
    case .store(let protection, _, _): "class \(protection.rawValue) of a store"
    case .passphrase: "a passphrase"
    case .recipient(let algorithm, let fingerprint, _, _):
      "the \(algorithm.name) key \(fingerprint.hexadecimal)"
    case .key(let fingerprint, _): "the key \(fingerprint.hexadecimal), which is stored elsewhere"
    }
  }

  static func summary(of slots: [KeySlot]) -> String {
    slots.prefix(3).map(\.summary).joined(separator: ", ")
      + (slots.count > 3 ? " and \(slots.count - 3) more" : "")
  }
}
