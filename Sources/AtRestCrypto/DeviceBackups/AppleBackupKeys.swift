import Foundation

/// The class keys of a device backup, unwrapped: in locked memory, erased with the last reference.
///
/// Made by ``AppleBackupKeybag/unlock(password:)``. Safe to use from any thread.
public final class AppleBackupKeys: Sendable {
  private let keys: [UInt32: SecretBox]
  /// Classes whose wrapped key was changed, so that nothing of theirs opens.
  public let damagedClasses: Set<UInt32>
  /// Classes whose key is also under the key of the device: they open on that device alone.
  public let deviceClasses: Set<UInt32>

  init(keys: [UInt32: SecretBox], damagedClasses: Set<UInt32>, deviceClasses: Set<UInt32>) {
    self.keys = keys
    self.damagedClasses = damagedClasses
    self.deviceClasses = deviceClasses
  }

  /// The classes that open.
  public var classes: Set<UInt32> { Set(keys.keys) }

  /// Unwraps the key of a file or a keychain item: AES Key Wrap, RFC 3394.
  ///
  /// - Parameters:
  ///   - wrapped: 40 bytes, without the class in front that `Manifest.db` and `Manifest.plist` have.
  ///   - keyClass: The number of the protection class.
  ///   - name: What the key belongs to, for the error.
  /// - Throws: ``AtRestError/Code/damaged`` if the wrapped key or that of its class was changed,
  ///   it has another size, or the keybag has no such class; ``AtRestError/Code/notPermitted`` if
  ///   the class is bound to the device.
  public func unwrap(
    _ wrapped: Data, class keyClass: UInt32, name: String
  ) throws -> SecretBytes {
    guard let key = keys[keyClass] else { throw refusal(of: keyClass, name: name) }
    guard wrapped.count == LegacyCipher.keySize + WrappingKey.overhead else {
      throw AtRestError.damaged(
        "The wrapped key of \(name) has \(wrapped.count) bytes, where 40 should be.")
    }
    return try WrappingKey(key.bytes.duplicate()).unwrap(wrapped, name: "The key of \(name)")
  }

  /// The cipher of a file from its wrapped key.
  ///
  /// - Throws: What ``unwrap(_:class:name:)`` throws.
  public func cipher(
    wrappedKey: Data, class keyClass: UInt32, name: String
  ) throws -> AppleBackupCipher {
    try AppleBackupCipher(key: unwrap(wrappedKey, class: keyClass, name: name))
  }

  private func refusal(of keyClass: UInt32, name: String) -> AtRestError {
    if damagedClasses.contains(keyClass) {
      return .damaged(
        "\(name) is of class \(keyClass), whose key in the keybag is damaged.",
        remedy: "Make the backup again, or use another copy of it.")
    }
    if deviceClasses.contains(keyClass) {
      return AtRestError(
        .notPermitted, "\(name) is of class \(keyClass), which opens on its own device alone.",
        remedy: "Read it on the device; no backup's password opens it.")
    }
    return .damaged(
      "\(name) is of class \(keyClass), which the keybag does not have.",
      remedy: "Make the backup again, or use another copy of it.")
  }
}
