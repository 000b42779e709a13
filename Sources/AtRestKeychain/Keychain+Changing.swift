import AtRestCrypto
import AtRestKeybag
import Foundation

/// Updating and deleting items.
extension Keychain {
  // MARK: Updating

  /// Updates the secret of an item.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; otherwise the errors of `secret(for:context:)`.
  public func update(
    _ key: PrimaryKey, secret: borrowing SecretBytes, context: AuthenticationContext? = nil
  ) throws {
    try secret.withUnsafeBytes { try update(key, ItemChange(), $0, context) }
  }

  /// Updates attributes, protection, group or primary key of an item in one step. At no time are
  /// there two items, or none.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/duplicate`` if the changed primary
  ///   key belongs to another item; otherwise the errors of `secret(for:context:)` and
  ///   `add(_:secret:attributes:protection:context:)`.
  public func update(
    _ key: PrimaryKey, _ change: ItemChange, context: AuthenticationContext? = nil
  ) throws {
    try update(key, change, nil, context)
  }

  /// Updates an item and its secret in one step.
  ///
  /// - Throws: The errors of `update(_:_:context:)`.
  public func update(
    _ key: PrimaryKey, _ change: ItemChange, secret: borrowing SecretBytes,
    context: AuthenticationContext? = nil
  ) throws {
    try secret.withUnsafeBytes { try update(key, change, $0, context) }
  }

  private func update(
    _ key: PrimaryKey, _ change: ItemChange, _ bytes: UnsafeRawBufferPointer?,
    _ context: AuthenticationContext?
  ) throws {
    try authenticating(context) { decision in
      try database.write { session in
        guard let row = try locate(key, session) else { throw notFound(key.words) }
        try update(row, change, bytes, session, decision)
      }
    }
  }

  /// Updates all items that a query matches, or none of them.
  ///
  /// - Returns: The number of items.
  /// - Throws: ``AtRestError/Code/notFound`` if nothing matches; the first refusal if an item is
  ///   not readable.
  @discardableResult
  public func update(
    matching query: KeychainQuery, _ change: ItemChange, context: AuthenticationContext? = nil
  ) throws -> Int {
    try updateAll(query, change, nil, context)
  }

  /// Updates all items that a query matches and their secrets, or none of them.
  ///
  /// - Returns: The number of items.
  /// - Throws: The errors of `update(matching:_:context:)`.
  @discardableResult
  public func update(
    matching query: KeychainQuery, _ change: ItemChange = ItemChange(),
    secret: borrowing SecretBytes, context: AuthenticationContext? = nil
  ) throws -> Int {
    try secret.withUnsafeBytes { try updateAll(query, change, $0, context) }
  }

  func updateAll(
    _ query: KeychainQuery, _ change: ItemChange, _ bytes: UnsafeRawBufferPointer?,
    _ context: AuthenticationContext?
  ) throws -> Int {
    try authenticating(context) { decision in
      try database.write { session in
        var rows: [ItemRow] = []
        let hidden = try forEachMatch(query, session) { row, _ in
          rows.append(row)
          return rows.count != query.limit
        }
        if let first = hidden.first { throw first.reason }
        guard !rows.isEmpty else { throw notFound("that the query matches") }
        for row in rows { try update(row, change, bytes, session, decision) }
        return rows.count
      }
    }
  }

  /// Moves an item to another primary key. Its secret, attributes and reference stay.
  ///
  /// - Throws: The errors of `update(_:_:context:)`.
  public func move(
    _ key: PrimaryKey, to new: PrimaryKey, context: AuthenticationContext? = nil
  ) throws {
    guard key.itemClass == new.itemClass else {
      throw AtRestError.invalid(
        "An item cannot move from class \(key.itemClass.rawValue) to "
          + "\(new.itemClass.rawValue).",
        remedy: "Add a new item and delete the old one.")
    }
    try update(
      key,
      ItemChange(
        attributes: new.attributes,
        removing: Set(key.itemClass.primaryKeyAttributes.filter { new.attributes[$0] == nil }),
        group: new.group, synchronizable: new.isSynchronizable),
      context: context)
  }

  func update(
    _ row: ItemRow, _ change: ItemChange, _ bytes: UnsafeRawBufferPointer?, _ session: Session,
    _ decision: AccessDecision
  ) throws {
    var metadata = try openMetadata(row)
    var (itemClass, accessibility) = try row.info.parts()
    let former = metadata
    let before = try terms(itemClass, metadata.attributes)
    // Every change opens the item, so that it is permitted and does not hide damage.
    let old = try openSecret(row, metadata, decision)
    let stays = !isExportable(metadata)
    let wasExtractable = metadata.attributes[.isExtractable]
    for attribute in change.removed { metadata.attributes[attribute] = nil }
    metadata.attributes = metadata.attributes.merging(
      try change.attributes.normalized(for: itemClass))
    metadata.attributes[.modificationDate] = .date(now)
    if let isSynchronizable = change.isSynchronizable {
      metadata.isSynchronizable = isSynchronizable
    }
    if let group = change.group {
      try identity.check(group)
      metadata.group = group
    }
    var new = row
    if let protection = change.protection {
      accessibility = protection.accessibility
      if metadata.accessControl != protection.accessControl {
        metadata.accessControl = protection.accessControl
        metadata.enrolment = try enrolment(for: protection.accessControl)
      }
    }
    if stays
      && (isExportable(metadata) || wasExtractable == 0 && metadata.attributes[.isExtractable] != 0)
    {
      throw AtRestError(
        .notPermitted, "A key that cannot be exported cannot be made exportable.",
        remedy: "Create a new key.")
    }
    if change.protection != nil || change.isSynchronizable != nil {
      try check(
        metadata.accessControl.map { .controlled($0) } ?? .accessible(accessibility),
        isSynchronizable: metadata.isSynchronizable, itemClass)
    }
    let key = metadata.primaryKey(itemClass)
    new.hash = try database.hash(key, in: metadata.group)
    new.scope = try database.scope(metadata.group)
    if new.hash != row.hash {
      try makeRoom(for: new.hash, key, session)
    }
    let isFoundAlike = itemClass.indexedAttributes.allSatisfy {
      metadata.attributes[$0] == former.attributes[$0]
    }
    new.terms = isFoundAlike ? before : try terms(itemClass, metadata.attributes)
    var payload: SecretBytes?
    if let bytes {
      payload = try self.payload(bytes, &metadata, decision)
    } else if let old {
      payload = try old.withUnsafeBytes { try self.payload($0, &metadata, decision) }
    }
    try seal(&new, metadata, payload: payload, accessibility, itemClass, session)
    // Nothing is written before all possible refusals: a transaction of the caller may continue
    // after a refusal.
    if new.hash != row.hash {
      for term in before { session.index.set(term, names: row.entry.key, false) }
      try session.index.remove(row.entry.key)
      try session.write(new)
    } else {
      try session.write(new, former: before)
    }
    session.changes.append(KeychainChange(kind: .updated, reference: reference(row.entry)))
  }

  // MARK: Deleting

  /// Deletes an item. The user is not asked, and the store may be locked.
  ///
  /// A damaged item is deleted too.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/missingEntitlement``;
  ///   ``AtRestError/Code/system``.
  public func delete(_ key: PrimaryKey) throws {
    try database.write { session in
      guard let groups = try groups(key.group) else {
        guard let row = try locate(key, session) else { throw notFound(key.words) }
        return try remove(row.entry, session)
      }
      for group in groups {
        let key = try database.hash(key, in: group).key
        guard let entry = try session.index.entry(key) else { continue }
        return try remove(entry, session)
      }
      throw notFound(key.words)
    }
  }

  /// Deletes the item with a persistent reference.
  ///
  /// - Throws: The errors of `delete(_:)`.
  public func delete(_ reference: PersistentReference) throws {
    try database.write { session in
      guard let entry = try entry(reference, session) else { throw notFound("referred to") }
      try remove(entry, session)
    }
  }

  /// Deletes all items that a query matches. Unreadable items are included if the query contains no
  /// attribute, or only indexed ones.
  ///
  /// - Returns: The number of items.
  /// - Throws: ``AtRestError/Code/locked`` if it cannot be determined whether an item matches.
  @discardableResult
  public func delete(matching query: KeychainQuery) throws -> Int {
    try database.write { session in
      var entries: [IndexEntry] = []
      let hidden = try forEachMatch(query, session) { row, _ in
        entries.append(row.entry)
        return entries.count != query.limit
      }
      for item in hidden {
        guard item.isCertain, let entry = item.entry else { throw item.reason }
        entries.append(entry)
      }
      for entry in entries { try remove(entry, session) }
      return entries.count
    }
  }

  func remove(_ entry: IndexEntry, _ session: Session) throws {
    try session.remove(entry)
    session.changes.append(KeychainChange(kind: .deleted, reference: reference(entry)))
  }
}
