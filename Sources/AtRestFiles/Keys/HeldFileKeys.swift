import AtRestCrypto
import AtRestKeybag
import Foundation

/// Protects files with a key that the caller keeps. Destroying that key makes the files unreadable.
///
/// If a class is given, only a copy of the key that is wrapped with the class key is kept, so a
/// lock removes the key from memory too.
///
/// This type does not register for locks, because there is one value per file. The owner of the
/// handles must lock them.
package struct HeldFileKeys: FileKeys {
  private enum Kept {
    case key(SecretBox)
    case wrapped(Data, Keybag, KeyClass)
  }
  private let kept: Kept
  private let fingerprint: Data

  /// - Parameters:
  ///   - key: The key, 32 bytes.
  ///   - lock: A store and one of its classes, or nil. While the class is locked, open files cannot
  ///     be read either.
  /// - Throws: ``AtRestError/Code/locked`` if the class is locked now.
  package init(_ key: SecretBox, lockedWith lock: (keybag: Keybag, keyClass: KeyClass)?) throws {
    kept =
      if let (keybag, keyClass) = lock {
        .wrapped(try keybag.wrap(key.bytes, under: keyClass), keybag, keyClass)
      } else { .key(key) }
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

  package func checkUse(of slots: [KeySlot]) throws {
    guard case .wrapped(_, let keybag, let keyClass) = kept, !keybag.isAvailable(keyClass) else {
      return
    }
    throw keybag.refusal(of: keyClass)
  }

  private func wrappingKey() throws -> WrappingKey {
    switch kept {
    case .key(let key): try WrappingKey(key.bytes.derive(.fileHeldWrap))
    case .wrapped(let wrapped, let keybag, let keyClass):
      try WrappingKey(
        keybag.unwrap(wrapped, under: keyClass, name: "The key of an open file")
          .derive(.fileHeldWrap))
    }
  }
}

extension Purpose {
  fileprivate static let fileHeldWrap = Purpose("atrest.file.held-wrap.v1")
  fileprivate static let fileHeldName = Purpose("atrest.file.held-name.v1")
}
