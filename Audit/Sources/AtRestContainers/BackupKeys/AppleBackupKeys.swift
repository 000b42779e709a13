import AtRestCrypto
import Crypto
import Foundation

/// The unwrapped class keys of a device backup. ``AppleBackupKeybag/unlock(password:)`` returns
/// them.
///
/// A value type: safe to use from any thread.
package struct AppleBackupKeys: Sendable {
  private let keys: [UInt32: SymmetricKey]
  /// The classes whose wrapped key was modified. Nothing in them can be decrypted.
  package let damagedClasses: Set<UInt32>
  /// The classes whose key is also wrapped under the device's key. They open only on that device.
  package let deviceClasses: Set<UInt32>

  init(keys: [UInt32: SymmetricKey], damagedClasses: Set<UInt32>, deviceClasses: Set<UInt32>) {
    self.keys = keys
    self.damagedClasses = damagedClasses
    self.deviceClasses = deviceClasses
  }

  /// The classes whose keys are available.
  package var classes: Set<UInt32> { Set(keys.keys) }

  /// Unwraps the key of a file or a keychain item: AES Key Wrap, RFC 3394.
  ///
  /// - Parameters:
  ///   - wrapped: The wrapped key, 40 bytes, without the class number that precedes it in
  ///     `Manifest.db` and `Manifest.plist`.
  ///   - keyClass: The number of the protection class.
  ///   - name: The name of the file or item, for the error message.
  /// - Throws: ``AtRestError/Code/damaged`` if the wrapped key or its class key was modified, if it
  ///   does not have 40 bytes, or if the keybag has no such class;
  ///   ``AtRestError/Code/notPermitted`` if the class is bound to the device.
  package func unwrap(
    _ wrapped: Data, class keyClass: UInt32, name: String
  ) throws -> SymmetricKey {
    guard let key = keys[keyClass] else { throw refusal(of: keyClass, name: name) }
    guard wrapped.count == BackupCryptography.wrappedKeySize else {
      throw AtRestError.damagedBackup(
        "The wrapped key of \(name) has \(wrapped.count) bytes, not 40.")
    }
    guard let unwrapped = BackupCryptography.unwrap(wrapped, with: key) else {
      throw AtRestError.damagedBackup(
        "The key of \(name) does not unwrap: it was modified or wrapped under another key.")
    }
    return unwrapped
  }

  /// Unwraps the key of a file and returns the file's cipher.
  ///
  /// - Throws: The errors of ``unwrap(_:class:name:)``.
  package func cipher(
    wrappedKey: Data, class keyClass: UInt32, name: String
  ) throws -> AppleBackupCipher {
    try AppleBackupCipher(key: unwrap(wrappedKey, class: keyClass, name: name))
  }

  private func refusal(of keyClass: UInt32, name: String) -> AtRestError {
    if damagedClasses.contains(keyClass) {
      return .damagedBackup(
        "\(name) is of class \(keyClass), whose key in the keybag is damaged.")
    }
    if deviceClasses.contains(keyClass) {
      return AtRestError(
        .notPermitted, "\(name) is of class \(keyClass), which opens only on its own device.",
        remedy: "Read it on the device; a backup password cannot open it.")
    }
    return .damagedBackup(
      "\(name) is of class \(keyClass), which the keybag does not have.")
  }
}
