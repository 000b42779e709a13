import AtRestCrypto
import AtRestKeybag
import Foundation

/// Files under a key that the caller keeps: who destroys it has destroyed the file.
///
/// Does not listen for locks, since there is one of these a file: whoever opens handles locks them.
package struct HeldFileKeys: FileKeys {
  private let key: SecretBox
  private let lock: (keybag: Keybag, keyClass: KeyClass)?
  private let fingerprint: Data

  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - lock: While the class is locked, open files cannot be read either.
  package init(_ key: SecretBox, lockedWith lock: (keybag: Keybag, keyClass: KeyClass)?) {
    self.key = key
    self.lock = lock
    fingerprint = Data(copying: key.bytes.derive(.fileHeldName, count: KeySlot.fingerprintCount))
  }

  package func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?
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
      remedy: "Give that instead.")
  }

  package func checkUse(of slots: [KeySlot]) throws {
    guard let lock, !lock.keybag.isAvailable(lock.keyClass) else { return }
    throw lock.keybag.refusal(of: lock.keyClass)
  }

  private func wrappingKey() throws -> WrappingKey {
    try WrappingKey(key.bytes.derive(.fileHeldWrap))
  }
}

extension Purpose {
  fileprivate static let fileHeldWrap = Purpose("atrest.file.held-wrap.v1")
  fileprivate static let fileHeldName = Purpose("atrest.file.held-name.v1")
}
