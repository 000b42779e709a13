import AtRestCrypto
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
  ///   - protection: The protection. By default, the item is readable while the store is unlocked.
  ///   - context: Supplies the application password if the protection requires one.
  /// - Returns: A reference that finds the item even after its attributes change.
  /// - Throws: ``AtRestError/Code/duplicate``; ``AtRestError/Code/locked``;
  ///   ``AtRestError/Code/missingEntitlement``; ``AtRestError/Code/passcodeNotSet``, and
  ///   ``AtRestError/Code/notPermitted`` for a protection that nobody can meet (see
  ///   ``AccessControl``); ``AtRestError/Code/invalidArgument`` and ``AtRestError/Code/noSuchAttribute`` for attributes
  ///   that do not fit the class; ``AtRestError/Code/invalidArgument`` for a secret of more than 16
  ///   MiB.
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
  /// - Throws: The errors of `add(_:secret:attributes:protection:context:)`.
  @discardableResult
  public func addWithoutSecret(
    _ key: PrimaryKey, attributes: ItemAttributes = [:], protection: ItemProtection = .whenUnlocked
  ) throws -> PersistentReference {
    try add(key, value: nil, attributes: attributes, protection: protection, context: nil)
  }

  /// Adds an item. The caller must erase the value afterwards.
  package func add(
    _ key: PrimaryKey, value: UnsafeRawBufferPointer?, attributes: ItemAttributes,
    protection: ItemProtection, isHardwareKey: Bool = false, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try backend.add(
      NewItem(
        key: key, attributes: attributes, protection: protection, isHardwareKey: isHardwareKey),
      value: value, context: context)
  }

  /// Stores a secret whether or not the item exists: adds the item, or updates its secret.
  ///
  /// - Parameters:
  ///   - attributes: Attributes to set on the item. Other attributes of an existing item stay as
  ///     they are.
  ///   - protection: The protection of the item. nil keeps the protection of an existing item; a
  ///     new item is readable while the store is unlocked.
  /// - Throws: The errors of `add(_:secret:attributes:protection:context:)` and
  ///   `update(_:secret:context:)`.
  @discardableResult
  public func set(
    _ key: PrimaryKey, secret: borrowing SecretBytes, attributes: ItemAttributes = [:],
    protection: ItemProtection? = nil, context: AuthenticationContext? = nil
  ) throws -> PersistentReference {
    try secret.withUnsafeBytes {
      try backend.set(
        key, value: $0, attributes: attributes, protection: protection, context: context)
    }
  }

  /// Returns the secret of an item. Creates the item first if it does not exist.
  ///
  /// An item that is locked, not permitted or damaged is not created again: the call throws, so a
  /// key that cannot be read is never replaced.
  ///
  /// - Parameter make: A closure that creates the secret. If the item does not exist, the closure
  ///   is called once, inside the transaction.
  /// - Throws: The errors of `secret(for:context:)`, `add(_:secret:attributes:protection:context:)`
  ///   and `make`.
  public func getOrCreate(
    _ key: PrimaryKey, attributes: ItemAttributes = [:], protection: ItemProtection = .whenUnlocked,
    context: AuthenticationContext? = nil, make: () throws -> SecretBytes
  ) throws -> SecretBytes {
    try backend.getOrCreate(
      NewItem(key: key, attributes: attributes, protection: protection), context: context,
      make: make)
  }
}
