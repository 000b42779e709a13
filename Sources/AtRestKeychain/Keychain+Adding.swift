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
      try add(key, bytes: $0, attributes: attributes, protection: protection, context: context)
    }
  }

  /// Adds an item that has attributes but no value.
  ///
  /// - Throws: The errors of the form with a secret.
  @discardableResult
  public func addWithoutSecret(
    _ key: PrimaryKey, attributes: ItemAttributes = [:], protection: ItemProtection = .whenUnlocked
  ) throws -> PersistentReference {
    try add(key, bytes: nil, attributes: attributes, protection: protection, context: nil)
  }

  func add(
    _ key: PrimaryKey, bytes: UnsafeRawBufferPointer?, attributes: ItemAttributes,
    protection: ItemProtection, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try authenticating(context) { decision in
      try database.write { session in
        try add(key, bytes, attributes, protection, session, decision)
      }
    }
  }

  private func add(
    _ key: PrimaryKey, _ bytes: UnsafeRawBufferPointer?, _ attributes: ItemAttributes,
    _ protection: ItemProtection, _ session: Session, _ decision: AccessDecision
  ) throws -> PersistentReference {
    let group = key.group ?? identity.defaultGroup
    try identity.check(group)
    try check(protection, isSynchronizable: key.isSynchronizable, key.itemClass)
    var all = try key.attributes.merging(attributes).normalized(for: key.itemClass)
    for attribute in key.itemClass.primaryKeyAttributes
    where all[attribute] != key.attributes[attribute] {
      throw AtRestError.invalid(
        "The attribute \(attribute) is given twice with different values.",
        remedy: "Give it in the primary key only.")
    }
    all[.creationDate] = .date(now)
    all[.modificationDate] = all[.creationDate]
    var metadata = ItemMetadata(
      group: group, isSynchronizable: key.isSynchronizable, attributes: all,
      accessControl: protection.accessControl)
    metadata.enrolment = try enrolment(for: protection.accessControl)
    let hash = try database.hash(key, in: group)
    try makeRoom(for: hash, key, session)
    var payload: SecretBytes?
    if let bytes { payload = try self.payload(bytes, &metadata, decision) }
    return try insert(
      hash, metadata, payload: payload, protection.accessibility, key.itemClass, session)
  }

  /// Writes a new item.
  func insert(
    _ hash: ItemHash, _ metadata: ItemMetadata, payload: borrowing SecretBytes?,
    _ accessibility: Accessibility, _ itemClass: ItemClass, _ session: Session
  ) throws -> PersistentReference {
    var row = ItemRow(
      hash: hash, scope: try database.scope(metadata.group), info: ItemInfo(rawValue: 0))
    row.terms = try terms(itemClass, metadata.attributes)
    try seal(&row, metadata, payload: payload, accessibility, itemClass, session)
    try session.write(row)
    let reference = reference(row.entry)
    session.changes.append(KeychainChange(kind: .added, reference: reference))
    return reference
  }

  /// Refuses a duplicate. A damaged item under the same key is removed.
  func makeRoom(for hash: ItemHash, _ key: PrimaryKey, _ session: Session) throws {
    guard let entry = try session.index.entry(hash.key) else { return }
    do {
      let row = try row(entry, session, words: key.words)
      let (_, accessibility) = try row.info.parts()
      if keybag.isAvailable(accessibility.keyClass, set: classKeys.set) {
        _ = try openMetadata(row)
        try checkWhole(row)
      }
    } catch AtRestError.Code.damaged {
      return try session.remove(entry)
    }
    throw AtRestError(
      .duplicate, "There is already an item \(key.words).",
      remedy: "Update it, or choose another account.")
  }

  /// Stores a secret whether or not the item exists: adds the item, or updates its secret.
  ///
  /// - Parameters:
  ///   - attributes: Attributes to set on the item. Its other attributes stay.
  ///   - protection: nil keeps the present protection. For a new item it means readable while
  ///     unlocked.
  /// - Throws: The errors of `add(_:secret:attributes:protection:context:)` and
  ///   `update(_:secret:context:)`.
  @discardableResult
  public func set(
    _ key: PrimaryKey, secret: borrowing SecretBytes, attributes: ItemAttributes = [:],
    protection: ItemProtection? = nil, context: AuthenticationContext? = nil
  ) throws -> PersistentReference {
    try secret.withUnsafeBytes { bytes in
      try authenticating(context) { decision in
        try database.write { session in
          let row: ItemRow?
          do {
            row = try locate(key, session)
            if let row {
              _ = try openMetadata(row)
              try checkWhole(row)
            }
          } catch AtRestError.Code.damaged {
            return try add(
              key, bytes, attributes, protection ?? .whenUnlocked, session, decision)
          }
          guard let row else {
            return try add(
              key, bytes, attributes, protection ?? .whenUnlocked, session, decision)
          }
          try update(
            row, ItemChange(attributes: attributes, protection: protection), bytes, session,
            decision)
          return reference(row.entry)
        }
      }
    }
  }

  /// Returns the secret of an item, which is created first if it does not exist.
  ///
  /// An item is created only on *not found*. If the item is locked, not permitted or damaged, the
  /// call throws, so a key is never replaced because it could not be read.
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
    return try authenticating(context) { decision in
      try database.write { session in
        if let row = try locate(key, session) {
          return try secret(of: row, openMetadata(row), decision)
        }
        let secret = try made ?? SecretBox(callersOwn { try make() })
        made = secret
        _ = try secret.bytes.withUnsafeBytes {
          try add(key, $0, attributes, protection, session, decision)
        }
        return secret.bytes.duplicate()
      }
    }
  }
}
