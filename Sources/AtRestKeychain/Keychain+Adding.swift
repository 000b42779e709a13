import AtRestCrypto
import AtRestKeybag
import Foundation

/// Adding items.
extension Keychain {
  /// Adds an item.
  ///
  /// - Parameters:
  ///   - key: The identifying attributes. Without a group, the item goes to the identity's default
  ///     group.
  ///   - secret: The value of the item.
  ///   - attributes: Further attributes. The keychain sets the dates.
  ///   - protection: The protection. The default is readable while unlocked.
  ///   - context: Supplies the application password if the protection has one.
  /// - Returns: A reference that finds the item after any of its attributes changed.
  /// - Throws: ``AtRestError/Code/duplicate``; ``AtRestError/Code/locked``;
  ///   ``AtRestError/Code/missingEntitlement``; ``AtRestError/Code/passcodeNotSet``;
  ///   ``AtRestError/Code/invalidArgument`` and ``AtRestError/Code/noSuchAttribute`` for attributes
  ///   that do not fit the class.
  @discardableResult
  public func add(
    _ key: PrimaryKey, secret: borrowing SecretBytes, attributes: ItemAttributes = [:],
    protection: ItemProtection = .whenUnlocked, context: AuthenticationContext? = nil
  ) throws -> PersistentReference {
    try secret.withUnsafeBytes {
      try add(key, value: $0, attributes: attributes, protection: protection, context: context)
    }
  }

  /// Adds an item that has attributes but no value.
  ///
  /// - Throws: The errors of the form with a secret.
  @discardableResult
  public func addWithoutSecret(
    _ key: PrimaryKey, attributes: ItemAttributes = [:], protection: ItemProtection = .whenUnlocked
  ) throws -> PersistentReference {
    try add(key, value: nil, attributes: attributes, protection: protection, context: nil)
  }

  /// Adds an item. The caller must erase its value, if there is one.
  package func add(
    _ key: PrimaryKey, value: UnsafeRawBufferPointer?, attributes: ItemAttributes,
    protection: ItemProtection, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try writing(with: context) {
      try $0.add(key, secret: value, attributes: attributes, protection: protection)
    }
  }

  /// Stores a secret whether or not the item exists: adds the item, or updates its secret.
  ///
  /// - Parameters:
  ///   - attributes: Attributes to set on the item. Its other attributes stay.
  ///   - protection: nil keeps the current protection. For a new item it means readable while
  ///     unlocked.
  /// - Throws: The errors of `add(_:secret:attributes:protection:context:)` and
  ///   `update(_:secret:context:)`.
  @discardableResult
  public func set(
    _ key: PrimaryKey, secret: borrowing SecretBytes, attributes: ItemAttributes = [:],
    protection: ItemProtection? = nil, context: AuthenticationContext? = nil
  ) throws -> PersistentReference {
    try secret.withUnsafeBytes { bytes in
      try writing(with: context) {
        try $0.set(key, secret: bytes, attributes: attributes, protection: protection)
      }
    }
  }

  /// Returns the secret of an item, which is created first if it does not exist.
  ///
  /// An item is created only on *not found*. If the item is locked, not permitted or damaged, the
  /// call throws, so a key that cannot be read is never replaced.
  ///
  /// - Parameter make: A closure that creates the secret. It is called at most once, inside the
  ///   transaction, if the item does not exist.
  /// - Throws: The errors of `secret(for:context:)` and
  ///   `add(_:secret:attributes:protection:context:)`.
  public func getOrCreate(
    _ key: PrimaryKey, attributes: ItemAttributes = [:], protection: ItemProtection = .whenUnlocked,
    context: AuthenticationContext? = nil, make: () throws -> SecretBytes
  ) throws -> SecretBytes {
    // Kept across a prompt, after which the work starts again.
    var made: SecretBox?
    return try writing(with: context) {
      try $0.getOrAdd(key, attributes: attributes, protection: protection) {
        let secret = try made ?? SecretBox(callersOwn { try make() })
        made = secret
        return secret
      }
    }
  }
}
