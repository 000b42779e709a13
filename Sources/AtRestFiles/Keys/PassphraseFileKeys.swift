import AtRestCrypto
import Foundation
import Synchronization

/// Protects files with a passphrase, without a store.
///
/// The derived key is kept while this value exists, so protecting many files takes only one
/// derivation. Each file still has a key of its own.
final class PassphraseFileKeys: FileKeys {
  private struct Derivation: Hashable {
    let kdf: Data
    let salt: Data
  }

  private let passphrase: SecretBox
  private let kdf: PasswordKDF
  private let salt = RandomBytes.data(count: 16)
  // The cache is small: one key for writing, and one for each set of parameters of existing files.
  private let derived = Mutex<[Derivation: SecretBox]>([:])
  private static let maximumKept = 64

  init(_ passphrase: borrowing SecretBytes, kdf: PasswordKDF) throws {
    guard passphrase.count > 0 else {
      throw AtRestError.invalid(
        "The passphrase is empty.", remedy: "Choose one that only you know.")
    }
    try kdf.checkForeignBounds()
    self.passphrase = SecretBox(passphrase.duplicate())
    self.kdf = kdf
  }

  func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?, name: String
  ) throws -> [KeySlot] {
    try refuseClass(protection)
    let wrapped = try WrappingKey(wrappingKey(kdf, salt)).wrap(key)
    return [.passphrase(kdf: kdf, salt: salt, wrapped: wrapped)]
  }

  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes {
    for case .passphrase(let kdf, let salt, let wrapped) in slots {
      do {
        return try WrappingKey(wrappingKey(kdf, salt)).unwrap(wrapped, name: name)
      } catch AtRestError.Code.damaged {
        throw AtRestError(
          .authenticationFailed,
          "\(name) does not open with this passphrase, or its key slot was modified.",
          remedy: "Try the passphrase again. If it is right, restore the file from a backup.")
      }
    }
    throw AtRestError(
      .notPermitted,
      "\(name) is protected with \(KeySlot.summary(of: slots)), not with a passphrase.",
      remedy: "Use that instead.")
  }

  private func wrappingKey(_ kdf: PasswordKDF, _ salt: Data) throws -> SecretBytes {
    let derivation = Derivation(kdf: kdf.encoded, salt: salt)
    if let known = derived.withLock({ $0[derivation] }) { return known.bytes.duplicate() }
    // The lock is held during the derivation, so parallel workers do not derive the same key twice.
    return try derived.withLock { derived in
      if let known = derived[derivation] { return known }
      let root = try kdf.deriveKey(from: passphrase.bytes, salt: salt)
      let key = SecretBox(root.derive(.filePassphraseWrap))
      if derived.count >= Self.maximumKept { derived = [:] }
      derived[derivation] = key
      return key
    }.bytes.duplicate()
  }
}
