import AtRestCrypto

/// The operations of Keychain Services that the typed calls do not offer.
extension Keychain {
  /// Returns an item that the caller has just added, without its value. The user is not asked.
  package func addedItem(_ reference: PersistentReference) throws -> KeychainItem {
    if let answer = try askAgent(.unattended, { .items(.reference(reference), secrets: false) }) {
      return try answer.item()
    }
    return try reading(with: .unattended) { try $0.addedItem(for: reference) }
  }

  /// Returns the item with a primary key. The item includes its secret if `secrets` is true.
  package func item(
    for key: PrimaryKey, secrets: Bool, context: AuthenticationContext?
  ) throws -> KeychainItem {
    if let answer = try askAgent(context, { .items(.key(key), secrets: secrets) }) {
      return try answer.item()
    }
    return try reading(with: context) { try $0.item(for: key, secrets: secrets) }
  }

  /// Returns the item with a persistent reference. The item includes its secret if `secrets` is
  /// true.
  package func item(
    for reference: PersistentReference, secrets: Bool, context: AuthenticationContext?
  ) throws -> KeychainItem {
    if let answer = try askAgent(context, { .items(.reference(reference), secrets: secrets) }) {
      return try answer.item()
    }
    return try reading(with: context) { try $0.item(for: reference, secrets: secrets) }
  }

  /// Updates the item with a persistent reference.
  package func update(
    _ reference: PersistentReference, _ change: ItemChange, secret: SecretBox?,
    context: AuthenticationContext?
  ) throws {
    try Self.withBytes(of: secret) {
      try update(reference, change: change, secret: $0, context: context)
    }
  }

  /// Updates all items that a query matches, or none of them.
  package func update(
    matching query: KeychainQuery, _ change: ItemChange, secret: SecretBox?,
    context: AuthenticationContext?
  ) throws {
    try Self.withBytes(of: secret) {
      _ = try update(matching: query, change: change, secret: $0, context: context)
    }
  }

  private static func withBytes(
    of secret: SecretBox?, _ body: (UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    guard let secret else { return try body(nil) }
    try secret.bytes.withUnsafeBytes { try body($0) }
  }
}
