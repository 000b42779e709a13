import AtRestCrypto

/// Reading items.
extension Keychain {
  /// Returns the secret of the item with a primary key.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/locked``, which names the class;
  ///   ``AtRestError/Code/damaged``. If the item has access control, also
  ///   ``AtRestError/Code/interactionNotAllowed``, ``AtRestError/Code/canceled``,
  ///   ``AtRestError/Code/authenticationFailed`` and ``AtRestError/Code/notPermitted``.
  public func secret(
    for key: PrimaryKey, context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    if let secret = try secretFast(for: key) { return secret }
    return try reading(with: context) { try $0.secret(for: key) }
  }

  /// Returns the secret of an item by the short path. nil if the long path has to decide.
  private func secretFast(for key: PrimaryKey) throws -> SecretBytes? {
    guard !identity.isOwner, let group = key.group ?? onlyGroup else { return nil }
    try identity.check(group)
    let hash = try database.hashes.hash(key, in: group)
    do {
      return try database.readFast(hash) {
        try boxes.openSecretFast(of: $0, hash: hash, from: $1)
      }
    } catch AtRestError.Code.damaged {
      // The long path finds out whether the row is damaged, or its class key was destroyed since.
      return nil
    }
  }

  private var onlyGroup: String? {
    identity.keychainAccessGroups.isEmpty && identity.applicationGroups.isEmpty
      ? identity.identifier : nil
  }

  /// Returns the secret of the item with a persistent reference.
  ///
  /// - Throws: The errors of `secret(for:context:)`.
  public func secret(
    for reference: PersistentReference, context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    try reading(with: context) { try $0.secret(for: reference) }
  }

  /// Returns the item with a primary key, with its attributes but without its secret.
  ///
  /// No secret is opened, unless the item has access control, which is then decided first.
  ///
  /// - Throws: The errors of `secret(for:context:)`.
  public func item(
    for key: PrimaryKey, context: AuthenticationContext? = nil
  ) throws -> KeychainItem {
    try reading(with: context) { try $0.item(for: key) }
  }

  /// Returns the item with a persistent reference, with its attributes but without its secret.
  ///
  /// - Throws: The errors of `secret(for:context:)`.
  public func item(
    for reference: PersistentReference, context: AuthenticationContext? = nil
  ) throws -> KeychainItem {
    try item(for: reference, secrets: false, context: context)
  }

  /// Returns the items that a query matches. The collection is empty if there are none.
  ///
  /// - Parameters:
  ///   - secrets: True to open the secrets too. Otherwise no secret is decrypted.
  ///   - context: Determines what happens if a user would have to be asked: see
  ///     ``AuthenticationContext/Interaction``.
  /// - Returns: The readable items. ``KeychainItems/withheld`` lists the items that exist but are not
  ///   readable.
  /// - Throws: ``AtRestError/Code/locked`` or ``AtRestError/Code/damaged`` if items exist and none
  ///   is readable; otherwise the errors of `secret(for:context:)`.
  public func items(
    matching query: KeychainQuery, secrets: Bool = false, context: AuthenticationContext? = nil
  ) throws -> KeychainItems {
    try reading(with: context) { try $0.items(matching: query, secrets: secrets) }
  }

  /// Returns the number of items in the whole keychain, in all groups.
  ///
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/system``.
  public func count() throws -> Int { try database.read { $0.index.count } }
}
