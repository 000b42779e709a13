import AtRestCrypto
import AtRestKeybag
import Foundation

/// Adding, reading, changing and deleting items.
extension Keychain {
  // MARK: Adding

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - key: What makes it the one it is. Without a group it goes to the identity's default group.
  ///   - secret: Its value.
  ///   - attributes: What else is known of it. Dates are set by the keychain.
  ///   - protection: When and by whom it can be read; while unlocked, where nothing is said.
  ///   - context: Supplies the application password where the protection has one.
  /// - Returns: A reference that finds the item whatever changes about it.
  /// - Throws: ``AtRestError/Code/duplicate``; ``AtRestError/Code/locked``;
  ///   ``AtRestError/Code/missingEntitlement``; ``AtRestError/Code/passcodeNotSet``;
  ///   ``AtRestError/Code/invalidArgument`` and `noSuchAttribute` for what does not fit the class.
  @discardableResult
  public func add(
    _ key: PrimaryKey, secret: borrowing SecretBytes, attributes: Attributes = [:],
    protection: Protection = .whenUnlocked, context: AuthenticationContext? = nil
  ) throws -> PersistentReference {
    try secret.withUnsafeBytes {
      try add(key, bytes: $0, attributes: attributes, protection: protection, context: context)
    }
  }

  /// Adds an item that has attributes and no value.
  ///
  /// - Throws: As the form with a secret.
  @discardableResult
  public func addWithoutSecret(
    _ key: PrimaryKey, attributes: Attributes = [:], protection: Protection = .whenUnlocked
  ) throws -> PersistentReference {
    try add(key, bytes: nil, attributes: attributes, protection: protection, context: nil)
  }

  func add(
    _ key: PrimaryKey, bytes: UnsafeRawBufferPointer?, attributes: Attributes,
    protection: Protection, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try authenticating(context) { decision in
      try database.write { session in
        try add(key, bytes, attributes, protection, session, decision)
      }
    }
  }

  private func add(
    _ key: PrimaryKey, _ bytes: UnsafeRawBufferPointer?, _ attributes: Attributes,
    _ protection: Protection, _ session: Session, _ decision: AccessDecision
  ) throws -> PersistentReference {
    let group = key.group ?? identity.defaultGroup
    try identity.check(group)
    try check(protection, isSynchronizable: key.isSynchronizable, key.itemClass)
    var all = try key.attributes.merging(attributes).normalized(for: key.itemClass)
    for attribute in key.itemClass.primaryKeyAttributes
    where all[attribute] != key.attributes[attribute] {
      throw AtRestError.invalid(
        "The attribute \(attribute) is given twice, with two values.",
        remedy: "Give it in the primary key alone.")
    }
    all[.creationDate] = .date(now)
    all[.modificationDate] = all[.creationDate]
    var metadata = ItemMetadata(
      group: group, isSynchronizable: key.isSynchronizable, attributes: all,
      accessControl: protection.accessControl)
    metadata.enrolment = try enrolment(for: protection.accessControl)
    var row = ItemRow(
      id: 0, hash: try database.hash(key, in: group), generation: 0,
      scope: try database.scope(group), itemClass: key.itemClass,
      accessibility: protection.accessibility, flags: [])
    try makeRoom(for: row.hash, key, session)
    var payload: SecretBytes?
    if let bytes { payload = try self.payload(bytes, &metadata, decision) }
    return try insert(&row, metadata, payload: payload, session)
  }

  /// Writes a new row with its terms.
  func insert(
    _ row: inout ItemRow, _ metadata: ItemMetadata, payload: borrowing SecretBytes?,
    _ session: Session
  ) throws -> PersistentReference {
    try seal(&row, metadata, payload: payload, session)
    try session.write(row)
    for term in try terms(row.itemClass, metadata.attributes) {
      try session.insertTerm.run(.integer(term), .integer(row.id))
    }
    session.changes.append(KeychainChange(kind: .added, reference: reference(row)))
    return reference(row)
  }

  /// Refuses a duplicate; a damaged row under the same key makes room.
  func makeRoom(for hash: Data, _ key: PrimaryKey, _ session: Session) throws {
    do {
      guard let row = try vouchedRow(hash, session, words: key.words) else { return }
      if keybag.isAvailable(row.accessibility.keyClass) {
        _ = try openMetadata(row)
        try checkWhole(row)
      }
    } catch AtRestError.Code.damaged {
      // A row that cannot even be parsed is replaced when the new one is written.
      if let row = try? session.row(hash: hash) { try session.remove(row, terms: []) }
      return
    }
    throw AtRestError(
      .duplicate, "There is an item \(key.words) already.",
      remedy: "Set or update it, or choose another account.")
  }

  /// Stores a secret whether or not the item exists: adds it, or gives it the new value.
  ///
  /// - Parameters:
  ///   - attributes: Set on the item; others that it has stay.
  ///   - protection: nil keeps the present one, or means while unlocked for a new item.
  /// - Throws: As `add(_:secret:attributes:protection:context:)` and `update(_:secret:context:)`.
  @discardableResult
  public func set(
    _ key: PrimaryKey, secret: borrowing SecretBytes, attributes: Attributes = [:],
    protection: Protection? = nil, context: AuthenticationContext? = nil
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
          return reference(row)
        }
      }
    }
  }

  /// The secret of an item, which is made first where there is none.
  ///
  /// Makes one on *not found* alone: an item that is locked, not permitted or damaged throws, so
  /// that a key is never replaced because it could not be read.
  ///
  /// - Parameter make: Called inside the transaction, once, where the item does not exist.
  /// - Throws: As `secret(for:context:)` and `add(_:secret:attributes:protection:context:)`.
  public func getOrCreate(
    _ key: PrimaryKey, attributes: Attributes = [:], protection: Protection = .whenUnlocked,
    context: AuthenticationContext? = nil, make: () throws -> SecretBytes
  ) throws -> SecretBytes {
    // Kept over a prompt, after which the work begins anew.
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

  // MARK: Reading

  /// The secret of the item with a primary key.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/locked``, naming the class;
  ///   ``AtRestError/Code/damaged``; where access control asks:
  ///   ``AtRestError/Code/interactionNotAllowed``, ``AtRestError/Code/canceled``,
  ///   ``AtRestError/Code/authenticationFailed``, ``AtRestError/Code/notPermitted``.
  public func secret(
    for key: PrimaryKey, context: AuthenticationContext? = nil
  ) throws -> SecretBytes {
    if !identity.isOwner, let group = key.group ?? onlyGroup {
      try identity.check(group)
      let hash = try database.hash(key, in: group)
      var found: SecretBytes?
      do {
        try database.readFast(hash) { found = try openSecretFast($0, hash) }
      } catch AtRestError.Code.damaged {
        // The longer way knows whether the row is damaged, or its class key was destroyed since.
        found = nil
      }
      if let secret = found.take() { return secret }
    }
    return try authenticating(context) { decision in
      try database.read { session in
        guard let row = try locate(key, session) else { throw notFound(key.words) }
        return try secret(of: row, openMetadata(row), decision)
      }
    }
  }

  /// The secret of the item with a persistent reference.
  ///
  /// - Throws: As `secret(for:context:)`.
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

  private func secret(
    of row: ItemRow, _ metadata: ItemMetadata, _ decision: AccessDecision
  ) throws -> SecretBytes {
    try checkExport(metadata)
    guard let secret = try openSecret(row, metadata, decision) else {
      throw notFound("\(metadata.primaryKey(row.itemClass).words) has no value, which")
    }
    return secret
  }

  /// Refuses the value of a key that was made not to leave.
  func checkExport(_ metadata: ItemMetadata) throws {
    guard isExportable(metadata) else {
      throw AtRestError(
        .notPermitted, "The key cannot be exported.",
        remedy: "Use it to sign, agree or decrypt, or make an extractable one.",
        cause: ExportRefusal())
    }
  }

  private func isExportable(_ metadata: ItemMetadata) -> Bool {
    // Public halves are anybody's.
    metadata.attributes[.keyClass] == .number(0)
      || metadata.attributes[.isExtractable] != .number(0)
        && metadata.accessControl?.privateKeyUsage != true
  }

  func notFound(_ words: String) -> AtRestError {
    AtRestError(
      .notFound, "There is no item \(words).",
      remedy: "Check the attributes, the access group, and whether it is synchronizable.")
  }

  /// The item with a primary key, with its attributes and without its secret.
  ///
  /// Opens no secret, unless the item has access control: then that is decided first.
  ///
  /// - Throws: As `secret(for:context:)`.
  public func item(
    for key: PrimaryKey, context: AuthenticationContext? = nil
  ) throws -> Item {
    try authenticating(context) { decision in
      try database.read { session in
        guard let row = try locate(key, session) else { throw notFound(key.words) }
        return try item(row, openMetadata(row), secrets: false, decision)
      }
    }
  }

  /// The item with a persistent reference, with its attributes and without its secret.
  ///
  /// - Throws: As `secret(for:context:)`.
  public func item(
    for reference: PersistentReference, context: AuthenticationContext? = nil
  ) throws -> Item {
    try authenticating(context) { decision in
      try database.read { session in
        guard let row = try locate(reference, session) else { throw notFound("referred to") }
        return try item(row, openMetadata(row), secrets: false, decision)
      }
    }
  }

  /// The items that a query matches; none is an empty collection.
  ///
  /// - Parameters:
  ///   - secrets: Whether the secrets are opened too. Without, no secret is decrypted.
  ///   - context: Decides what happens where a user would have to be asked: see
  ///     ``AuthenticationContext/Interaction``.
  /// - Returns: The readable ones; ``Items/withheld`` names those that exist and are not readable.
  /// - Throws: Where items exist and none is readable: ``AtRestError/Code/locked`` or
  ///   ``AtRestError/Code/damaged``; otherwise as `secret(for:context:)`.
  public func items(
    matching query: Query, secrets: Bool = false, context: AuthenticationContext? = nil
  ) throws -> Items {
    try authenticating(context) { decision in
      try database.read { session in
        var items: [Item] = []
        var skipped: [Items.Withheld] = []
        var withheld = try forEachMatch(query, session) { row, metadata in
          do {
            items.append(try item(row, metadata, secrets: secrets, decision))
          } catch let error as AtRestError
            where error.refusal == .notPermitted
            && (decision.context.interaction == .skip
              || secrets && !isExportable(metadata))
          {
            skipped.append(Items.Withheld(reference: reference(row), reason: error))
          }
          return items.count != query.limit
        }
        if items.isEmpty, let first = withheld.first { throw first.reason }
        if items.isEmpty, decision.context.interaction != .skip, let first = skipped.first {
          throw first.reason
        }
        withheld += skipped
        return Items(items, withheld: withheld)
      }
    }
  }

  func item(
    _ row: ItemRow, _ metadata: ItemMetadata, secrets: Bool, _ decision: AccessDecision
  ) throws -> Item {
    var secret: SecretBox?
    if secrets {
      try checkExport(metadata)
      if let opened = try openSecret(row, metadata, decision) { secret = SecretBox(opened) }
    } else if metadata.applicationPassword != nil {
      // Whoever does not know the password learns nothing of the item.
      _ = try openSecret(row, metadata, decision)?.count
    } else if !metadata.asksWhenUsed {
      try decide(metadata, decision)
    }
    return item(row, metadata, secret: secret)
  }

  /// An item as it is handed out, once it may be.
  func item(_ row: ItemRow, _ metadata: ItemMetadata, secret: SecretBox? = nil) -> Item {
    var attributes = metadata.attributes
    if row.itemClass == .internetPassword && attributes[.securityDomain] == nil {
      attributes[.securityDomain] = ""
    }
    return Item(
      reference: reference(row), primaryKey: metadata.primaryKey(row.itemClass),
      attributes: attributes,
      protection: metadata.accessControl.map { .controlled($0) }
        ?? .accessible(row.accessibility),
      hasSecret: row.flags.contains(.secret), secret: secret)
  }

  /// How many items there are in the whole keychain, whatever group they are in.
  ///
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/system``.
  public func count() throws -> Int { try database.read { $0.tree.count } }

  // MARK: Changing

  /// Gives an item a new secret.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; otherwise as `secret(for:context:)`.
  public func update(
    _ key: PrimaryKey, secret: borrowing SecretBytes, context: AuthenticationContext? = nil
  ) throws {
    try secret.withUnsafeBytes { try update(key, ItemChange(), $0, context) }
  }

  /// Changes attributes, protection, group or primary key of an item in one step: there is never a
  /// second item, and never none.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/duplicate`` where the change makes
  ///   it another item that exists; otherwise as `secret(for:context:)` and
  ///   `add(_:secret:attributes:protection:context:)`.
  public func update(
    _ key: PrimaryKey, _ change: ItemChange, context: AuthenticationContext? = nil
  ) throws {
    try update(key, change, nil, context)
  }

  /// Changes an item and its secret in one step.
  ///
  /// - Throws: As `update(_:_:context:)`.
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

  /// Changes every item that a query matches, or none.
  ///
  /// - Returns: How many there were.
  /// - Throws: ``AtRestError/Code/notFound`` where there is none; the first refusal where one is
  ///   not readable.
  @discardableResult
  public func update(
    matching query: Query, _ change: ItemChange, context: AuthenticationContext? = nil
  ) throws -> Int {
    try updateAll(query, change, nil, context)
  }

  /// Changes every item that a query matches, and its secret, or none.
  ///
  /// - Returns: How many there were.
  /// - Throws: As `update(matching:_:context:)`.
  @discardableResult
  public func update(
    matching query: Query, _ change: ItemChange = ItemChange(),
    secret: borrowing SecretBytes, context: AuthenticationContext? = nil
  ) throws -> Int {
    try secret.withUnsafeBytes { try updateAll(query, change, $0, context) }
  }

  func updateAll(
    _ query: Query, _ change: ItemChange, _ bytes: UnsafeRawBufferPointer?,
    _ context: AuthenticationContext?
  ) throws -> Int {
    try authenticating(context) { decision in
      try database.write { session in
        var rows: [ItemRow] = []
        let withheld = try forEachMatch(query, session) { row, _ in
          rows.append(row)
          return rows.count != query.limit
        }
        if let first = withheld.first { throw first.reason }
        guard !rows.isEmpty else { throw notFound("that the query matches") }
        for row in rows { try update(row, change, bytes, session, decision) }
        return rows.count
      }
    }
  }

  /// Gives an item another primary key, keeping its secret, attributes and reference.
  ///
  /// - Throws: As `update(_:_:context:)`.
  public func move(
    _ key: PrimaryKey, to new: PrimaryKey, context: AuthenticationContext? = nil
  ) throws {
    guard key.itemClass == new.itemClass else {
      throw AtRestError.invalid(
        "An item cannot move from class \(key.itemClass.rawValue) to "
          + "\(new.itemClass.rawValue).",
        remedy: "Add a new item, and delete the old one.")
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
    let before = try terms(row.itemClass, metadata.attributes)
    // An item with access control is opened by every change, so that the change is permitted.
    let old = try openSecret(row, metadata, decision)
    let stays = !isExportable(metadata)
    let wasExtractable = metadata.attributes[.isExtractable]
    for attribute in change.removed { metadata.attributes[attribute] = nil }
    metadata.attributes = metadata.attributes.merging(
      try change.attributes.normalized(for: row.itemClass))
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
      new.accessibility = protection.accessibility
      if metadata.accessControl != protection.accessControl {
        metadata.accessControl = protection.accessControl
        metadata.enrolment = try enrolment(for: protection.accessControl)
      }
    }
    if stays
      && (isExportable(metadata) || wasExtractable == 0 && metadata.attributes[.isExtractable] != 0)
    {
      throw AtRestError(
        .notPermitted, "A key that cannot be exported stays so.", remedy: "Make a new key.")
    }
    if change.protection != nil || change.isSynchronizable != nil {
      try check(
        metadata.accessControl.map { .controlled($0) } ?? .accessible(new.accessibility),
        isSynchronizable: metadata.isSynchronizable, row.itemClass)
    }
    let key = metadata.primaryKey(row.itemClass)
    new.hash = try database.hash(key, in: metadata.group)
    new.scope = try database.scope(metadata.group)
    if new.hash != row.hash {
      try makeRoom(for: new.hash, key, session)
    }
    var payload: SecretBytes?
    if let bytes {
      payload = try self.payload(bytes, &metadata, decision)
    } else if let old {
      payload = try old.withUnsafeBytes { try self.payload($0, &metadata, decision) }
    }
    try seal(&new, metadata, payload: payload, session)
    // Nothing is written before everything that can be refused was: a transaction of the caller's
    // may go on after a refusal.
    if new.hash != row.hash { try session.tree.set(row.treeHash, to: nil) }
    try session.write(new)
    let after = try terms(row.itemClass, metadata.attributes)
    for term in before where !after.contains(term) {
      try session.deleteTerm.run(.integer(term), .integer(row.id))
    }
    for term in after where !before.contains(term) {
      try session.insertTerm.run(.integer(term), .integer(row.id))
    }
    session.changes.append(KeychainChange(kind: .updated, reference: reference(row)))
  }

  // MARK: Deleting

  /// Deletes an item. Asks nobody, and needs no unlock.
  ///
  /// A damaged item is deleted too.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/missingEntitlement``;
  ///   ``AtRestError/Code/system``.
  public func delete(_ key: PrimaryKey) throws {
    try database.write { session in
      guard let groups = try groups(key.group) else {
        guard let row = try locate(key, session) else { throw notFound(key.words) }
        return try remove(row, session)
      }
      for group in groups {
        let hash = try database.hash(key, in: group)
        do {
          guard let row = try vouchedRow(hash, session, words: key.words) else { continue }
          return try remove(row, session)
        } catch AtRestError.Code.damaged {
          if let row = try? session.row(hash: hash) { try remove(row, session) }
          return try session.removeUnreadable(hash)
        }
      }
      throw notFound(key.words)
    }
  }

  /// Deletes the item with a persistent reference.
  ///
  /// - Throws: As `delete(_:)`.
  public func delete(_ reference: PersistentReference) throws {
    try database.write { session in
      var row: ItemRow?
      do {
        row = try locate(reference, session)
      } catch AtRestError.Code.damaged {
        guard let id = reference.id(in: keybag.store.bytes) else { throw notFound("referred to") }
        row = try? session.row(id: id)
        if row == nil, let hash = try session.hash(id: id) {
          return try session.removeUnreadable(hash)
        }
      }
      guard let row else { throw notFound("referred to") }
      try remove(row, session)
    }
  }

  /// Deletes every item that a query matches, the unreadable ones among them where the query names
  /// no attribute or an indexed one.
  ///
  /// - Returns: How many there were.
  /// - Throws: ``AtRestError/Code/locked`` where it cannot be told whether an item matches.
  @discardableResult
  public func delete(matching query: Query) throws -> Int {
    try database.write { session in
      var rows: [ItemRow] = []
      let withheld = try forEachMatch(query, session) { row, _ in
        rows.append(row)
        return rows.count != query.limit
      }
      let indexed = query.itemClass.indexedAttributes
      let certain =
        query.attributes.count == 0
        || query.attributes.count == 1
          && query.attributes.allSatisfy {
            indexed.contains($0.key) && !$0.value.isEmpty(for: $0.key)
          }
      for hidden in withheld {
        guard certain, let id = hidden.reference.id(in: keybag.store.bytes),
          let row = try session.row(id: id)
        else { throw hidden.reason }
        rows.append(row)
      }
      for row in rows { try remove(row, session) }
      return rows.count
    }
  }

  func remove(_ row: ItemRow, _ session: Session) throws {
    var known: [Int64] = []
    if let metadata = try? openMetadata(row) {
      known = try terms(row.itemClass, metadata.attributes)
    }
    try session.remove(row, terms: known)
    session.changes.append(KeychainChange(kind: .deleted, reference: reference(row)))
  }
}

extension ItemMetadata {
  /// Of a key of the secure element, whatever is handed out is public: who is there is asked when it
  /// is used.
  fileprivate var asksWhenUsed: Bool {
    attributes[.tokenID] != nil && accessControl?.privateKeyUsage == true
  }
}
