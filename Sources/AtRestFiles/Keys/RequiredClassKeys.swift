import AtRestCrypto

/// Keys that open only the files of one protection class.
///
/// The class is checked wherever a file's key is unwrapped, before a key is used or requested. Only
/// the slots of the required class are used. Otherwise, the writer could name the class in one slot,
/// and have the file opened through another slot, for example one for a recipient.
struct RequiredClassKeys: FileKeys {
  let keys: any FileKeys
  let required: FileProtection

  var protection: FileProtection? { keys.protection }
  var mayAskAgent: Bool { keys.mayAskAgent }

  func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?, name: String
  ) throws -> [KeySlot] {
    try keys.wrap(key, protection: protection, name: name)
  }

  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes {
    try keys.unwrap(required(of: slots, name), name: name)
  }

  func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes {
    try keys.unwrap(required(of: slots, name), name: name, accepting: isRight)
  }

  func checkStore() throws { try keys.checkStore() }

  func checkKept() throws { try keys.checkKept() }

  func checkUse(of slots: [KeySlot]) throws { try keys.checkUse(of: slots) }

  func mayKeepKey(of slots: [KeySlot]) -> Bool { keys.mayKeepKey(of: slots) }

  func onLock(_ body: @escaping @Sendable () -> Void) { keys.onLock(body) }

  /// Returns the slots of a store. All of them must have the required class.
  private func required(of slots: [KeySlot], _ name: String) throws -> [KeySlot] {
    let ofStore = slots.filter { if case .store = $0 { true } else { false } }
    let isRequired = ofStore.allSatisfy {
      if case .store(required, _, _) = $0 { true } else { false }
    }
    guard isRequired, !ofStore.isEmpty else {
      throw AtRestError(
        .otherClass,
        "\(name) is protected with \(KeySlot.summary(of: slots)), and class \(required.rawValue) "
          + "is required.",
        remedy: "Check the origin of the file. If it is the right one, require its own class or "
          + "none.")
    }
    return ofStore
  }
}
