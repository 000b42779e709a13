import AtRestCrypto

/// The operations of Keychain Services that the typed calls do not offer.
extension Keychain {
  /// Adds an item, and returns it without its value. The user is not asked.
  package func addItem(
    _ key: PrimaryKey, value: UnsafeRawBufferPointer?, attributes: ItemAttributes,
    protection: ItemProtection, isHardwareKey: Bool, context: AuthenticationContext?
  ) throws -> KeychainItem {
    try backend.addItem(
      NewItem(
        key: key, attributes: attributes, protection: protection, isHardwareKey: isHardwareKey),
      value: value, context: context)
  }

  /// Returns an item that the caller has just added, without its value. The user is not asked.
  package func addedItem(_ reference: PersistentReference) throws -> KeychainItem {
    try backend.addedItem(reference)
  }

  /// Returns the item with a primary key. The item includes its secret if `secrets` is true.
  package func item(
    for key: PrimaryKey, secrets: Bool, context: AuthenticationContext?
  ) throws -> KeychainItem {
    try backend.items(.key(key), secrets: secrets, context: context)[0]
  }

  /// Returns the item with a persistent reference. The item includes its secret if `secrets` is
  /// true.
  package func item(
    for reference: PersistentReference, secrets: Bool, context: AuthenticationContext?
  ) throws -> KeychainItem {
    try backend.items(.reference(reference), secrets: secrets, context: context)[0]
  }

  /// Updates the item with a persistent reference.
  package func update(
    _ reference: PersistentReference, _ change: ItemChange, secret: SecretBox?,
    context: AuthenticationContext?
  ) throws {
    _ = try update(.reference(reference), change, secret, context)
  }

  /// Updates all items that a query matches, or none of them.
  package func update(
    matching query: KeychainQuery, _ change: ItemChange, secret: SecretBox?,
    context: AuthenticationContext?
  ) throws {
    _ = try update(.query(query), change, secret, context)
  }

  private func update(
    _ items: ItemSelector, _ change: ItemChange, _ secret: SecretBox?,
    _ context: AuthenticationContext?
  ) throws -> Int {
    guard let secret else {
      return try backend.update(items, change, value: nil, context: context)
    }
    return try secret.bytes.withUnsafeBytes {
      try backend.update(items, change, value: $0, context: context)
    }
  }

  /// Calls a closure with the private key that a persistent reference finds, even if the key may
  /// not be exported. The closure must not keep any part of the key.
  ///
  /// - Throws: The errors of `sign(_:tag:group:scheme:context:)`.
  package func withPrivateKey<Result: ~Copyable>(
    _ reference: PersistentReference, context: AuthenticationContext?,
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result {
    try backend.withKey(.reference(reference), decrypts: false, context: context, body)
  }

  /// Makes a key in the device's hardware, and does not store it.
  ///
  /// - Throws: ``AtRestError/Code/noHardware`` if the device has no such hardware; the errors of the
  ///   hardware.
  package func makeHardwareKey() throws -> HardwarePrivateKey {
    try HardwarePrivateKey.make(with: keybag.device)
  }
}
