import AtRestCrypto
import Foundation

/// Reads items: finds the row, opens its metadata, decides access and opens the secret.
///
/// Use an instance for one call in one transaction. It calls neither the ``ItemWriter`` nor the
/// keychain.
struct ItemReader {
  let finder: ItemFinder
  /// Decides access control for this call. Throws ``PendingPrompt`` if the user has to be asked
  /// outside the transaction.
  let decision: AccessDecision

  var boxes: RowBoxes { finder.boxes }

  // MARK: Secrets

  func secret(for key: PrimaryKey) throws -> SecretBytes {
    try secret(of: finder.row(for: key))
  }

  func secret(for reference: PersistentReference) throws -> SecretBytes {
    try secret(of: finder.row(for: reference))
  }

  /// Returns the secret of a row for the caller.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the item has no value;
  ///   ``AtRestError/Code/notPermitted`` for a key that cannot be exported; the errors of
  ///   ``AccessDecision``.
  func secret(of row: ItemRow) throws -> SecretBytes {
    let metadata = try boxes.openMetadata(of: row)
    try Self.checkExport(metadata)
    guard let secret = try openSecret(of: row, metadata: metadata) else {
      let key = metadata.primaryKey(try row.info.parts().0)
      throw AtRestError(
        .notFound, "The item \(key.words) has no value.",
        remedy: "Read its attributes, or give it a value (update).")
    }
    return secret
  }

  /// Decides access control, and returns the secret of a row. If the secret was sealed with an
  /// application password, opens it with this password.
  ///
  /// - Returns: The secret, or nil if the item has no secret.
  func openSecret(of row: ItemRow, metadata: ItemMetadata) throws -> SecretBytes? {
    try decide(metadata)
    guard let payload = try boxes.openPayload(of: row) else { return nil }
    guard let parameters = metadata.applicationPassword else { return payload }
    return try decision.openWithApplicationPassword(
      payload, kdf: parameters.kdf, salt: parameters.salt, name: "The secret of item \(row.id)")
  }

  // MARK: Access

  private func decide(_ metadata: ItemMetadata) throws {
    guard let accessControl = metadata.accessControl else { return }
    try decision.require(accessControl.requirement, enrolment: metadata.enrolment)
  }

  /// Throws an error for a key whose value cannot be exported.
  static func checkExport(_ metadata: ItemMetadata) throws {
    guard metadata.isExportable else {
      throw AtRestError(
        .notPermitted, "The key cannot be exported.",
        remedy: "Use it to sign, agree or decrypt, or create an extractable one.",
        cause: ExportRefusal())
    }
  }

  // MARK: Items

  func item(for key: PrimaryKey, secrets: Bool = false) throws -> KeychainItem {
    let row = try finder.row(for: key)
    return try item(of: row, metadata: boxes.openMetadata(of: row), secrets: secrets)
  }

  func item(for reference: PersistentReference, secrets: Bool) throws -> KeychainItem {
    let row = try finder.row(for: reference)
    return try item(of: row, metadata: boxes.openMetadata(of: row), secrets: secrets)
  }

  /// Returns an item without its value and without any check, for the caller who just added it.
  func addedItem(for reference: PersistentReference) throws -> KeychainItem {
    let row = try finder.row(for: reference)
    return try describe(row, metadata: boxes.openMetadata(of: row), secret: nil)
  }

  /// Returns the item of a row. The item includes its secret if `secrets` is true.
  private func item(
    of row: ItemRow, metadata: ItemMetadata, secrets: Bool
  ) throws -> KeychainItem {
    var secret: SecretBox?
    if secrets {
      try Self.checkExport(metadata)
      if let opened = try openSecret(of: row, metadata: metadata) { secret = SecretBox(opened) }
    } else if metadata.applicationPassword != nil {
      // A caller without the password learns nothing about the item.
      _ = try openSecret(of: row, metadata: metadata)?.count
    } else if !metadata.asksWhenUsed {
      try decide(metadata)
    }
    return try describe(row, metadata: metadata, secret: secret)
  }

  /// Returns an item as the caller sees it. Call this method after all checks.
  private func describe(
    _ row: ItemRow, metadata: ItemMetadata, secret: SecretBox?
  ) throws -> KeychainItem {
    let (itemClass, accessibility) = try row.info.parts()
    return KeychainItem(
      reference: finder.reference(to: row.entry), primaryKey: metadata.primaryKey(itemClass),
      attributes: metadata.attributes,
      protection: metadata.accessControl.map { .controlled($0) } ?? .accessible(accessibility),
      hasSecret: row.info.flags.contains(.secret), isHardwareKey: metadata.isHardwareKey,
      secret: secret)
  }

  /// Returns the items that a query matches, with a list of the matching items that are not
  /// readable.
  ///
  /// - Throws: The first reason if items exist and none is readable.
  func items(matching query: KeychainQuery, secrets: Bool) throws -> KeychainItems {
    var items: [KeychainItem] = []
    var skipped: [KeychainItems.Withheld] = []
    let hidden = try finder.forEachMatch(of: query) { row, metadata in
      do {
        items.append(try item(of: row, metadata: metadata, secrets: secrets))
      } catch let error as AtRestError
        where error.refusal == .notPermitted
        && (decision.context.interaction == .skip || secrets && !metadata.isExportable)
      {
        skipped.append(
          KeychainItems.Withheld(reference: finder.reference(to: row.entry), reason: error))
      }
      return items.count != query.limit
    }
    if items.isEmpty, let first = hidden.first { throw first.reason }
    if items.isEmpty, decision.context.interaction != .skip, let first = skipped.first {
      throw first.reason
    }
    let withheld = hidden.map {
      KeychainItems.Withheld(reference: $0.entry.map(finder.reference), reason: $0.reason)
    }
    return KeychainItems(items, withheld: withheld + skipped)
  }
}

extension ItemMetadata {
  /// True if the caller may have the value: the item is not a key, or it is a public or extractable
  /// key.
  var isExportable: Bool {
    // The stored form of a hardware key must not be taken for a private key.
    guard !isHardwareKey else { return false }
    // Any caller may read the public half of a key pair.
    return attributes[.keyClass] == .number(0)
      || attributes[.isExtractable] != .number(0) && accessControl?.privateKeyUsage != true
  }

  /// True for a key of the secure element: its attributes are public, and the user is asked only
  /// when the key is used.
  fileprivate var asksWhenUsed: Bool {
    attributes[.tokenID] != nil && accessControl?.privateKeyUsage == true
  }
}
