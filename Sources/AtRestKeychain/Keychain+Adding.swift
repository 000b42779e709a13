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
    let item = try askAgentToAdd(key, value, attributes, protection, isHardwareKey, context)
    if let item { return item.reference }
    return try writing(with: context) {
      try $0.add(
        key, secret: value, attributes: attributes, protection: protection,
        isHardwareKey: isHardwareKey)
    }
  }

  /// Adds an item, and returns it without its value. The user is not asked.
  package func addItem(
    _ key: PrimaryKey, value: UnsafeRawBufferPointer?, attributes: ItemAttributes,
    protection: ItemProtection, isHardwareKey: Bool, context: AuthenticationContext?
  ) throws -> KeychainItem {
    if let item = try askAgentToAdd(key, value, attributes, protection, isHardwareKey, context) {
      return item
    }
    return try writing(with: context) {
      try $0.reader.addedItem(
        for: $0.add(
          key, secret: value, attributes: attributes, protection: protection,
          isHardwareKey: isHardwareKey))
    }
  }

  private func askAgentToAdd(
    _ key: PrimaryKey, _ value: UnsafeRawBufferPointer?, _ attributes: ItemAttributes,
    _ protection: ItemProtection, _ isHardwareKey: Bool, _ context: AuthenticationContext?
  ) throws -> KeychainItem? {
    try askAgentToWrite(context) {
      .add(
        placed(key), attributes, protection, secret: secret(value), isHardwareKey: isHardwareKey)
    }?.item()
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
    let answer = try askAgentToWrite(context) {
      .set(placed(key), attributes, protection, secret: AgentSecret(secret.duplicate()))
    }
    if let answer { return try answer.reference() }
    return try secret.withUnsafeBytes { bytes in
      try writing(with: context) {
        try $0.set(key, secret: bytes, attributes: attributes, protection: protection)
      }
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
    if let answer = try createThroughAgent(key, attributes, protection, context, make) {
      return answer
    }
    // Kept across prompts, because the transaction runs again after each prompt.
    var made: SecretBox?
    return try writing(with: context) {
      try $0.getOrAdd(key, attributes: attributes, protection: protection) {
        let secret = try made ?? SecretBox(callersOwn { try make() })
        made = secret
        return secret
      }
    }
  }

  /// Returns the secret of an item in the agent, and creates it there if it does not exist. nil means
  /// that this process uses the store directly.
  private func createThroughAgent(
    _ key: PrimaryKey, _ attributes: ItemAttributes, _ protection: ItemProtection,
    _ context: AuthenticationContext?, _ make: () throws -> SecretBytes
  ) throws -> SecretBytes? {
    func known() throws -> SecretBytes? {
      try askAgent(context, { .secret(.key(key)) })?.secret()
    }
    do {
      return try known()
    } catch AtRestError.Code.notFound {
      let secret = try make()
      do {
        _ = try add(
          key, secret: secret, attributes: attributes, protection: protection, context: context)
      } catch AtRestError.Code.duplicate {
        // Another process was faster, unless the item has no value.
        return try known()
      }
      return secret
    }
  }
}
