import AtRestCrypto

/// Keys that open files, and the keys of further readers for whom new files are protected too.
struct CombinedFileKeys: FileKeys {
  /// The keys that open files and decide when an open file can be used.
  let keys: any FileKeys
  let others: [any FileKeys]

  var protection: FileProtection? { keys.protection }
  var mayAskAgent: Bool { keys.mayAskAgent }

  func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?, name: String
  ) throws -> [KeySlot] {
    var slots = try keys.wrap(key, protection: protection, name: name)
    for other in others { slots += try other.wrap(key, protection: nil, name: name) }
    guard slots.filter(\.isPassphrase).count <= FileHeader.maximumPassphrases else {
      throw AtRestError.invalid(
        "\(name) would have several passphrases.", remedy: "Pass one passphrase.")
    }
    guard slots.count <= FileHeader.maximumSlots else {
      throw AtRestError.invalid(
        "\(name) would have \(slots.count) readers, and \(FileHeader.maximumSlots) are the maximum.",
        remedy: "Pass fewer recipients, or a key that several share.")
    }
    return slots
  }

  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes {
    try keys.unwrap(slots, name: name)
  }

  func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes {
    try keys.unwrap(slots, name: name, accepting: isRight)
  }

  func checkUse(of slots: [KeySlot]) throws { try keys.checkUse(of: slots) }

  func mayKeepKey(of slots: [KeySlot]) -> Bool { keys.mayKeepKey(of: slots) }

  func onLock(_ body: @escaping @Sendable () -> Void) { keys.onLock(body) }
}
