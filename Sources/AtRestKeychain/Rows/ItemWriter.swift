import AtRestCrypto
import Foundation

/// Writes items: prepares the metadata, makes the payload, seals the row and passes it to the
/// ``Session``.
///
/// Make a new instance for each call of the keychain, and use it in one transaction only.
struct ItemWriter {
  let reader: ItemReader
  let clock: @Sendable () -> Date

  var finder: ItemFinder { reader.finder }
  var session: Session { reader.finder.session }

  // MARK: Adding

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - secret: The value, or nil for an item without one.
  ///   - isHardwareKey: True if the value is the stored form of a key of the device's hardware.
  func add(
    _ key: PrimaryKey, secret: UnsafeRawBufferPointer?, attributes: ItemAttributes,
    protection: ItemProtection, isHardwareKey: Bool = false
  ) throws -> PersistentReference {
    var metadata = try prepareMetadata(
      for: key, attributes: attributes, protection: protection, isHardwareKey: isHardwareKey)
    let hash = try session.hashes.hash(key, in: metadata.group)
    // While the class is locked, nothing can be stored, whether the item exists or not.
    _ = try finder.boxes.classKeys.wrapKey(protection.accessibility)
    try makeRoom(for: hash, key: key)
    var payload: SecretBytes?
    if let secret { payload = try makePayload(secret, for: &metadata) }
    return try insert(
      metadata, payload: payload, hash: hash, itemClass: key.itemClass,
      accessibility: protection.accessibility)
  }

  /// Writes a new item. Call ``makeRoom(for:key:)`` first.
  func insert(
    _ metadata: ItemMetadata, payload: borrowing SecretBytes?, hash: ItemHash,
    itemClass: ItemClass, accessibility: Accessibility
  ) throws -> PersistentReference {
    var row = ItemRow(
      hash: hash, scope: try session.hashes.scope(metadata.group), info: ItemInfo(rawValue: 0))
    let terms = try sealRow(
      &row, metadata: metadata, payload: payload, itemClass: itemClass,
      accessibility: accessibility)
    try session.write(row, terms: terms.indexed)
    return report(.added, row.entry)
  }

  /// Throws ``AtRestError/Code/duplicate`` if the key is taken. If the item under the key is
  /// damaged, removes it instead.
  func makeRoom(for hash: ItemHash, key: PrimaryKey) throws {
    guard let entry = try session.index.entry(hash.key) else { return }
    do {
      let row = try finder.row(of: entry, words: key.words)
      let (_, accessibility) = try row.info.parts()
      if finder.boxes.classKeys.isAvailable(accessibility) {
        _ = try finder.boxes.openMetadata(of: row)
        try finder.boxes.checkPayload(of: row)
      }
    } catch AtRestError.Code.damaged {
      return try session.remove(entry)
    }
    throw AtRestError(
      .duplicate, "There is already an item \(key.words).",
      remedy: "Update it, or choose another account.")
  }

  /// Adds an item, or updates its secret if the item exists. A damaged item is replaced.
  ///
  /// - Parameter protection: The protection of the item. nil keeps the protection of an existing
  ///   item; a new item is readable while the store is unlocked.
  func set(
    _ key: PrimaryKey, secret: UnsafeRawBufferPointer, attributes: ItemAttributes,
    protection: ItemProtection?
  ) throws -> PersistentReference {
    guard let row = try intactRow(for: key) else {
      return try add(
        key, secret: secret, attributes: attributes, protection: protection ?? .whenUnlocked)
    }
    try rewrite(
      row, change: ItemChange(attributes: attributes, protection: protection), secret: secret)
    return finder.reference(to: row.entry)
  }

  /// Returns the row with a primary key, or nil if the row does not exist or is damaged.
  private func intactRow(for key: PrimaryKey) throws -> ItemRow? {
    do {
      guard let row = try finder.locate(key) else { return nil }
      _ = try finder.boxes.openMetadata(of: row)
      try finder.boxes.checkPayload(of: row)
      return row
    } catch AtRestError.Code.damaged {
      return nil
    }
  }

  /// Returns the secret of an item. Adds the item first if it does not exist.
  func getOrAdd(
    _ key: PrimaryKey, attributes: ItemAttributes, protection: ItemProtection,
    make: () throws -> SecretBox
  ) throws -> SecretBytes {
    if let row = try finder.locate(key) { return try reader.secret(of: row) }
    let secret = try make()
    _ = try secret.bytes.withUnsafeBytes {
      try add(key, secret: $0, attributes: attributes, protection: protection)
    }
    return secret.bytes.duplicate()
  }

  // MARK: Updating

  func update(_ key: PrimaryKey, change: ItemChange, secret: UnsafeRawBufferPointer?) throws {
    try rewrite(finder.row(for: key), change: change, secret: secret)
  }

  func update(
    _ reference: PersistentReference, change: ItemChange, secret: UnsafeRawBufferPointer?
  ) throws {
    try rewrite(finder.row(for: reference), change: change, secret: secret)
  }

  /// Opens an item, changes it and seals it again under a new item key.
  private func rewrite(
    _ row: ItemRow, change: ItemChange, secret: UnsafeRawBufferPointer?
  ) throws {
    let former = try finder.boxes.openMetadata(of: row)
    guard secret == nil || !former.isHardwareKey else { throw Self.fixedHardwareKey }
    let (itemClass, present) = try row.info.parts()
    let before = try session.hashes.indexedTerms(itemClass, former.attributes)
    // Every change opens the item first, to check that the change is permitted and that the item is
    // not damaged.
    let old = try reader.openSecret(of: row, metadata: former)
    let accessibility = change.protection?.accessibility ?? present
    var metadata = try changedMetadata(
      of: former, by: change, itemClass: itemClass, accessibility: accessibility)
    let key = metadata.primaryKey(itemClass)
    var new = row
    new.hash = try session.hashes.hash(key, in: metadata.group)
    new.scope = try session.hashes.scope(metadata.group)
    if new.hash != row.hash { try makeRoom(for: new.hash, key: key) }
    var payload: SecretBytes?
    if let secret {
      payload = try makePayload(secret, for: &metadata)
    } else if let old {
      payload = try old.withUnsafeBytes { try makePayload($0, for: &metadata) }
    }
    let terms = try sealRow(
      &new, metadata: metadata, payload: payload, itemClass: itemClass,
      accessibility: accessibility)
    // Write only after everything that can throw a refusal, because the caller's transaction may
    // continue after a refusal.
    try session.replace(row, with: new, terms: terms.indexed, former: before)
    report(.updated, row.entry)
  }

  /// Changes all items that a query matches, or none of them.
  ///
  /// - Returns: The number of updated items.
  /// - Throws: ``AtRestError/Code/notFound`` if nothing matches; the error of the first item that
  ///   cannot be read or updated.
  func updateAll(
    matching query: KeychainQuery, change: ItemChange, secret: UnsafeRawBufferPointer?
  ) throws -> Int {
    var rows: [ItemRow] = []
    let hidden = try finder.forEachMatch(of: query) { row, _ in
      rows.append(row)
      return rows.count != query.limit
    }
    if let first = hidden.first { throw first.reason }
    guard !rows.isEmpty else { throw AtRestError.noItem("that the query matches") }
    for row in rows { try rewrite(row, change: change, secret: secret) }
    return rows.count
  }

  // MARK: Deleting

  func delete(_ key: PrimaryKey) throws { try delete(finder.entry(for: key)) }

  func delete(_ reference: PersistentReference) throws { try delete(finder.entry(for: reference)) }

  /// Deletes the item of an entry, even if its row is missing or damaged.
  func delete(_ entry: IndexEntry) throws {
    try session.remove(entry)
    report(.deleted, entry)
  }

  /// Deletes all items that a query matches, or as many as its limit permits, the oldest first.
  ///
  /// - Returns: The number of deleted items.
  func deleteAll(matching query: KeychainQuery) throws -> Int {
    var entries: [IndexEntry] = []
    func take(_ entry: IndexEntry) -> Bool {
      entries.append(entry)
      return entries.count != query.limit
    }
    let hidden = try finder.forEachMatch(of: query, certain: take) { row, _ in take(row.entry) }
    if let uncertain = hidden.first(where: { !$0.isCertain }) { throw uncertain.reason }
    for entry in entries { try delete(entry) }
    return entries.count
  }

  // MARK: Stages

  /// Notes a change, which is reported when the transaction is durable.
  @discardableResult
  private func report(_ kind: KeychainChange.Kind, _ entry: IndexEntry) -> PersistentReference {
    let reference = finder.reference(to: entry)
    session.changes.append(KeychainChange(kind: kind, reference: reference))
    return reference
  }

  // Limits in bytes. They are far below the limits for reading, so that everything that is written
  // can be read.
  private static var metadataLimit: Int { 1 << 20 }
  private static var groupLimit: Int { 1024 }
  private static var secretLimit: Int { 1 << 24 }

  /// Gives a row its number, transaction and info, and seals metadata, payload and terms into it.
  /// Set the row's hash and group first.
  ///
  /// - Returns: The terms of the row.
  private func sealRow(
    _ row: inout ItemRow, metadata: ItemMetadata, payload: borrowing SecretBytes?,
    itemClass: ItemClass, accessibility: Accessibility
  ) throws -> ItemTerms {
    let encoded = metadata.encoded
    guard encoded.count <= Self.metadataLimit, metadata.group.utf8.count <= Self.groupLimit else {
      throw AtRestError.invalid(
        "The attributes of the item take \(encoded.count) bytes, the name of its group "
          + "\(metadata.group.utf8.count).",
        remedy: "Use at most \(Self.metadataLimit) and \(Self.groupLimit) bytes.")
    }
    let count = RowBoxes.byteCount(payload)
    if let count, count > Self.secretLimit {
      throw AtRestError.invalid(
        "The secret has \(count) bytes; an item holds at most \(Self.secretLimit).",
        remedy: "Store the data in a file, and its key in the keychain.")
    }
    row.generation = session.index.generation
    if row.id == 0 { row.id = session.index.nextID() }
    var flags: ItemRow.Flags = []
    if metadata.isSynchronizable { flags.insert(.synchronizable) }
    if metadata.accessControl != nil { flags.insert(.accessControl) }
    if count != nil { flags.insert(.secret) }
    row.info = ItemInfo(itemClass, accessibility, flags)
    try finder.boxes.seal(
      &row, metadata: encoded, payload: payload, accessibility: accessibility)
    let terms = try session.hashes.terms(itemClass, metadata.attributes)
    try session.seal(terms, into: &row)
    return terms
  }
}
