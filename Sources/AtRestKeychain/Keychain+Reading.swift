import AtRestCrypto

/// Reading items.
extension Keychain {
  /// Returns the secret of the item with a primary key.
  ///
  /// If the key names no group and several of the caller's groups have such an item, this call and all
  /// others with the key mean the item of the first of these groups, even if it is locked.
  ///
  /// - Throws: ``AtRestError/Code/notFound``, also for an item without a value;
  ///   ``AtRestError/Code/locked``, whose message names the protection class;
  ///   ``AtRestError/Code/damaged``; ``AtRestError/Code/missingEntitlement`` if the key names
  ///   another application's group; ``AtRestError/Code/notPermitted`` for a key that cannot be
  ///   exported. If the item has access control, also ``AtRestError/Code/interactionNotAllowed``,
  ///   ``AtRestError/Code/canceled``, ``AtRestError/Code/authenticationFailed`` and
  ///   ``AtRestError/Code/notPermitted``.
  public func secret(
    for key: PrimaryKey, context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    try backend.secret(of: .key(key), context: context)
  }

  /// Returns the secret of the item with a persistent reference.
  ///
  /// - Throws: The errors of `secret(for:context:)`.
  public func secret(
    for reference: PersistentReference, context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    try backend.secret(of: .reference(reference), context: context)
  }

  /// Returns the item with a primary key, with its attributes but without its secret.
  ///
  /// If the item has access control, the user is asked as for the secret. A key of the secure
  /// element is an exception: the user is asked only when the key is used. The secret is decrypted
  /// only to check an application password.
  ///
  /// - Throws: The errors of `secret(for:context:)`.
  public func item(
    for key: PrimaryKey, context: AuthenticationContext? = nil
  ) throws -> KeychainItem {
    try item(for: key, secrets: false, context: context)
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
  ///   - secrets: True to return the secrets too. If it is false, a secret is decrypted only to
  ///     check an application password.
  ///   - context: Determines what happens if a user would have to be asked: see
  ///     ``AuthenticationContext/Interaction``.
  /// - Returns: The readable items. Their property ``KeychainItems/withheld`` lists the items that
  ///   exist but are not readable.
  /// - Throws: ``AtRestError/Code/locked`` or ``AtRestError/Code/damaged`` if items exist and none
  ///   is readable; ``AtRestError/Code/noSuchAttribute`` or ``AtRestError/Code/invalidArgument`` if
  ///   the query is invalid; otherwise the errors of `secret(for:context:)`, except
  ///   ``AtRestError/Code/notFound``.
  public func items(
    matching query: KeychainQuery, secrets: Bool = false, context: AuthenticationContext? = nil
  ) throws -> KeychainItems {
    try backend.items(.query(query), secrets: secrets, context: context)
  }

  /// Returns the number of items in the whole keychain, in all groups.
  ///
  /// The store may be locked, and an agent that serves it is not asked.
  ///
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/system``.
  public func count() throws -> Int {
    try directly(Self.countsNothing) { try $0.database.read { $0.index.count } }
  }

  /// Returns the number of items with an accessibility in the whole keychain, in all groups.
  ///
  /// The store may be locked, and an agent that serves it is not asked. ``Accessibility/whenPasscodeSetThisDeviceOnly`` counts the items that
  /// are deleted when the passcode is removed, so the user can be told before.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a part of the index cannot be read;
  ///   ``AtRestError/Code/system``.
  public func count(_ accessibility: Accessibility) throws -> Int {
    let number = accessibility.keyClass.rawValue
    return try directly(Self.countsNothing) {
      try $0.database.read { session in
        var count = 0
        try session.index.forEach { if $0.info.keyClassNumber == number { count += 1 } }
        return count
      }
    }
  }

  private static let countsNothing = "counts no items of all groups"
}
