import AtRestCrypto

/// Keys that open only the files of one protection class.
///
/// The class is checked wherever a file's key is unwrapped, before a key is used or requested. All
/// slots of the file must have the class: with a second slot, for a recipient for example, the
/// writer could name one class and have the file opened with another key.
struct RequiredClassKeys: FileKeys {
  let keys: any FileKeys
  let required: FileProtection

  var protection: FileProtection? { keys.protection }

  func wrap(_ key: borrowing SecretBytes, protection: FileProtection?) throws -> [KeySlot] {
    try keys.wrap(key, protection: protection)
  }

  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes {
    try check(slots, name)
    return try keys.unwrap(slots, name: name)
  }

  func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes {
    try check(slots, name)
    return try keys.unwrap(slots, name: name, accepting: isRight)
  }

  func checkUse(of slots: [KeySlot]) throws { try keys.checkUse(of: slots) }

  func onLock(_ body: @escaping @Sendable () -> Void) { keys.onLock(body) }

  private func check(_ slots: [KeySlot], _ name: String) throws {
    let isRequired = slots.allSatisfy { slot in
      if case .store(required, _, _) = slot { true } else { false }
    }
    guard isRequired else {
      throw AtRestError(
        .otherClass,
        "\(name) is protected with \(KeySlot.summary(of: slots)), and class \(required.rawValue) "
          + "is required.",
        remedy: "Check the origin of the file. If it is the right one, require its own class or "
          + "none.")
    }
  }
}

extension ProtectedFiles {
  /// Returns the keys of these files, limited to one class if one is required.
  func fileKeys(requiring required: FileProtection?) -> any FileKeys {
    guard let required else { return keys }
    return RequiredClassKeys(keys: keys, required: required)
  }
}
