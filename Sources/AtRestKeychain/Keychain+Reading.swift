import AtRestCrypto
import AtRestKeybag
import Foundation

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
    if !identity.isOwner, let group = key.group ?? onlyGroup {
      try identity.check(group)
      let hash = try database.hash(key, in: group)
      do {
        if let secret = try database.readFast(hash, { try openSecretFast($0, $1, hash) }) {
          return secret
        }
      } catch AtRestError.Code.damaged {
        // The slow path finds out whether the row is damaged, or its class key was destroyed since.
      }
    }
    return try authenticating(context) { decision in
      try database.read { session in
        guard let row = try locate(key, session) else { throw notFound(key.words) }
        return try secret(of: row, openMetadata(row), decision)
      }
    }
  }

  /// Returns the secret of the item with a persistent reference.
  ///
  /// - Throws: The errors of `secret(for:context:)`.
  public func secret(
    for reference: PersistentReference, context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    try authenticating(context) { decision in
      try database.read { session in
        guard let row = try locate(reference, session) else { throw notFound("referred to") }
        return try secret(of: row, openMetadata(row), decision)
      }
    }
  }

  private var onlyGroup: String? {
    identity.keychainAccessGroups.isEmpty && identity.applicationGroups.isEmpty
      ? identity.identifier : nil
  }

  func secret(
    of row: ItemRow, _ metadata: ItemMetadata, _ decision: AccessDecision
  ) throws -> SecretBytes {
    try checkExport(metadata)
    guard let secret = try openSecret(row, metadata, decision) else {
      throw notFound("\(try words(row, metadata)) has no value, which")
    }
    return secret
  }

  private func words(_ row: ItemRow, _ metadata: ItemMetadata) throws -> String {
    metadata.primaryKey(try row.info.parts().0).words
  }

  /// Refuses the value of a key that is not extractable.
  func checkExport(_ metadata: ItemMetadata) throws {
    guard isExportable(metadata) else {
      throw AtRestError(
        .notPermitted, "The key cannot be exported.",
        remedy: "Use it to sign, agree or decrypt, or create an extractable one.",
        cause: ExportRefusal())
    }
  }

  func isExportable(_ metadata: ItemMetadata) -> Bool {
    // Public halves may be read by anyone.
    metadata.attributes[.keyClass] == .number(0)
      || metadata.attributes[.isExtractable] != .number(0)
        && metadata.accessControl?.privateKeyUsage != true
  }

  func notFound(_ words: String) -> AtRestError {
    AtRestError(
      .notFound, "There is no item \(words).",
      remedy: "Check the attributes, the access group, and whether it is synchronizable.")
  }

  /// Returns the item with a primary key, with its attributes but without its secret.
  ///
  /// No secret is opened, unless the item has access control, which is then decided first.
  ///
  /// - Throws: The errors of `secret(for:context:)`.
  public func item(
    for key: PrimaryKey, context: AuthenticationContext? = nil
  ) throws -> KeychainItem {
    try authenticating(context) { decision in
      try database.read { session in
        guard let row = try locate(key, session) else { throw notFound(key.words) }
        return try item(row, openMetadata(row), secrets: false, decision)
      }
    }
  }

  /// Returns the item with a persistent reference, with its attributes but without its secret.
  ///
  /// - Throws: The errors of `secret(for:context:)`.
  public func item(
    for reference: PersistentReference, context: AuthenticationContext? = nil
  ) throws -> KeychainItem {
    try authenticating(context) { decision in
      try database.read { session in
        guard let row = try locate(reference, session) else { throw notFound("referred to") }
        return try item(row, openMetadata(row), secrets: false, decision)
      }
    }
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
    try authenticating(context) { decision in
      try database.read { session in
        var items: [KeychainItem] = []
        var skipped: [KeychainItems.Withheld] = []
        let hidden = try forEachMatch(query, session) { row, metadata in
          do {
            items.append(try item(row, metadata, secrets: secrets, decision))
          } catch let error as AtRestError
            where error.refusal == .notPermitted
            && (decision.context.interaction == .skip
              || secrets && !isExportable(metadata))
          {
            skipped.append(KeychainItems.Withheld(reference: reference(row.entry), reason: error))
          }
          return items.count != query.limit
        }
        if items.isEmpty, let first = hidden.first { throw first.reason }
        if items.isEmpty, decision.context.interaction != .skip, let first = skipped.first {
          throw first.reason
        }
        let withheld = hidden.map {
          KeychainItems.Withheld(reference: $0.entry.map(reference), reason: $0.reason)
        }
        return KeychainItems(items, withheld: withheld + skipped)
      }
    }
  }

  func item(
    _ row: ItemRow, _ metadata: ItemMetadata, secrets: Bool, _ decision: AccessDecision
  ) throws -> KeychainItem {
    var secret: SecretBox?
    if secrets {
      try checkExport(metadata)
      if let opened = try openSecret(row, metadata, decision) { secret = SecretBox(opened) }
    } else if metadata.applicationPassword != nil {
      // A caller without the password learns nothing about the item.
      _ = try openSecret(row, metadata, decision)?.count
    } else if !metadata.asksWhenUsed {
      try decide(metadata, decision)
    }
    return try item(row, metadata, secret: secret)
  }

  /// Returns an item in the form for the caller, after all checks.
  func item(_ row: ItemRow, _ metadata: ItemMetadata, secret: SecretBox? = nil) throws
    -> KeychainItem
  {
    let (itemClass, accessibility) = try row.info.parts()
    var attributes = metadata.attributes
    if itemClass == .internetPassword && attributes[.securityDomain] == nil {
      attributes[.securityDomain] = ""
    }
    return KeychainItem(
      reference: reference(row.entry), primaryKey: metadata.primaryKey(itemClass),
      attributes: attributes,
      protection: metadata.accessControl.map { .controlled($0) } ?? .accessible(accessibility),
      hasSecret: row.info.flags.contains(.secret), secret: secret)
  }

  /// Returns the number of items in the whole keychain, in all groups.
  ///
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/system``.
  public func count() throws -> Int { try database.read { $0.index.count } }
}

extension ItemMetadata {
  /// True for a key of the secure element: its attributes are public, and the user is asked when
  /// the key is used.
  fileprivate var asksWhenUsed: Bool {
    attributes[.tokenID] != nil && accessControl?.privateKeyUsage == true
  }
}
