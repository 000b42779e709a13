import AtRestCrypto
import AtRestKeybag

/// Finds the rows of items by primary key, reference or query, always through the index.
///
/// Use an instance for one call in one transaction. It returns only rows that the caller's identity
/// may see. It does not decide access control: see ``ItemReader``.
struct ItemFinder {
  let identity: ApplicationIdentity
  let keybag: Keybag
  let boxes: RowBoxes
  let session: Session

  // MARK: Rows

  /// Returns the row of an entry.
  ///
  /// - Parameter words: A description of the item for the error message. nil describes the item by
  ///   its number.
  /// - Throws: ``AtRestError/Code/damaged`` if the row is missing or differs from the index.
  func row(of entry: IndexEntry, words: @autoclosure () -> String? = nil) throws -> ItemRow {
    guard let row = try session.row(id: entry.id) else {
      throw AtRestError.damaged(
        "The row of the item \(words() ?? "number \(entry.id)") is missing from the keychain "
          + "\(boxes.path).",
        remedy: "Add it again, or restore a backup.")
    }
    guard row.entry == entry else {
      throw AtRestError.damaged(
        "The item \(words() ?? "number \(entry.id)") "
          + "was modified, or restored to an older version, in the keychain \(boxes.path).",
        remedy: "Delete it, store it again, or restore a backup.")
    }
    return row
  }

  /// Returns the persistent reference of an entry.
  func reference(to entry: IndexEntry) -> PersistentReference {
    entry.reference(in: keybag.store.bytes)
  }

  /// Returns the groups to search for a key or query, which may name a group. nil means all groups:
  /// the caller is the owner and no group is named.
  ///
  /// - Throws: ``AtRestError/Code/missingEntitlement`` if the group that is named does not belong
  ///   to the caller.
  func groups(_ named: String?) throws -> [String]? {
    if let named {
      try identity.check(named)
      return [named]
    }
    return identity.isOwner ? nil : identity.accessGroups
  }

  /// The scope of the group that the caller does not see, or nil.
  var excludedScope: Int64? {
    get throws { try identity.excludedGroup.map(session.hashes.scope) }
  }

  // MARK: By primary key

  /// Returns the row with a primary key.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/damaged`` if the row differs
  ///   from the index.
  func row(for key: PrimaryKey) throws -> ItemRow {
    guard let row = try locate(key) else { throw AtRestError.noItem(key.words) }
    return row
  }

  /// Returns the row with a primary key in the caller's groups, or nil.
  ///
  /// - Throws: The errors of ``row(for:)``, except *not found*.
  func locate(_ key: PrimaryKey) throws -> ItemRow? {
    guard let groups = try groups(key.group) else { return try locateInAllGroups(key) }
    for group in groups {
      guard let entry = try entry(for: key, in: group) else { continue }
      return try row(of: entry, words: key.words)
    }
    return nil
  }

  private func locateInAllGroups(_ key: PrimaryKey) throws -> ItemRow? {
    var rows: [ItemRow] = []
    let hidden = try forEachMatch(of: KeychainQuery(key)) { row, metadata in
      // An attribute that the key leaves out is empty, but a query that leaves it out accepts any
      // value.
      if try session.hashes.hash(key, in: metadata.group) == row.hash { rows.append(row) }
      return true
    }
    // An item that cannot be opened may be the right one: *not found* would be a guess.
    if rows.isEmpty, let first = hidden.first { throw first.reason }
    guard rows.count < 2 else {
      throw AtRestError.invalid(
        "\(rows.count) items \(key.words) are in different access groups.",
        remedy: "Specify the group.")
    }
    return rows.first
  }

  /// Returns the entry of the item with a primary key, even if its row is missing or damaged.
  ///
  /// - Throws: ``AtRestError/Code/notFound``.
  func entry(for key: PrimaryKey) throws -> IndexEntry {
    // Without a group, only the metadata of the rows shows which row the key identifies.
    guard let groups = try groups(key.group) else { return try row(for: key).entry }
    for group in groups {
      if let entry = try entry(for: key, in: group) { return entry }
    }
    throw AtRestError.noItem(key.words)
  }

  private func entry(for key: PrimaryKey, in group: String) throws -> IndexEntry? {
    try session.index.entry(session.hashes.hash(key, in: group).key)
  }

  // MARK: By reference

  /// Returns the row with a persistent reference.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such row that the caller may see;
  ///   ``AtRestError/Code/damaged`` if the row differs from the index.
  func row(for reference: PersistentReference) throws -> ItemRow {
    try row(of: entry(for: reference))
  }

  /// Returns the entry of the item with a persistent reference, even if its row is missing or
  /// damaged.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such item that the caller may see.
  func entry(for reference: PersistentReference) throws -> IndexEntry {
    guard let entry = try locate(reference) else {
      throw AtRestError.noItem("with this persistent reference")
    }
    return entry
  }

  func locate(_ reference: PersistentReference) throws -> IndexEntry? {
    guard let id = reference.id(in: keybag.store.bytes) else { return nil }
    var found: IndexEntry?
    if let row = try session.row(id: id), let entry = try session.index.entry(row.entry.key),
      entry.id == id
    {
      found = entry
    } else {
      // The row is missing or names another item. Only a search of the whole index shows whether
      // the item exists.
      try session.index.forEach { if $0.id == id { found = $0 } }
    }
    guard let found, found.info.classNumber == reference.data.first else { return nil }
    if let excluded = try excludedScope, found.scope == excluded { return nil }
    if let groups = try groups(nil) {
      guard try groups.map(session.hashes.scope).contains(found.scope) else { return nil }
    }
    return found
  }
}
