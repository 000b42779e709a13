import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// Sealing, opening and finding rows.
extension Keychain {
  typealias Session = KeychainDatabase.Session

  // MARK: Finding

  /// Returns the groups that a key or query may mean, after checking them. nil means all groups,
  /// for the owner who names none.
  func groups(_ named: String?) throws -> [String]? {
    if let named {
      try identity.check(named)
      return [named]
    }
    return identity.isOwner ? nil : identity.accessGroups
  }

  /// Returns the row of the item with a hash, or nil if there is no such item.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the row differs from the index.
  func row(hash: ItemHash, _ session: Session, words: @autoclosure () -> String) throws -> ItemRow?
  {
    guard let entry = try session.index.entry(hash.key) else { return nil }
    return try row(entry, session, words: words())
  }

  /// Returns the row of an entry.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the row is missing or differs from the index.
  func row(
    _ entry: IndexEntry, _ session: Session, words: @autoclosure () -> String
  ) throws -> ItemRow {
    guard let row = try session.row(id: entry.id) else {
      throw AtRestError.damaged(
        "The row of the item \(words()) is missing from the keychain \(database.path).",
        remedy: "Add it again, or restore a backup.")
    }
    guard row.entry == entry else {
      throw AtRestError.damaged(
        "The item \(words()) was modified, or restored to an older version, in the keychain "
          + "\(database.path).",
        remedy: "Delete it, store it again, or restore a backup.")
    }
    return row
  }

  /// Returns the row with a primary key in the caller's groups, or nil.
  func locate(_ key: PrimaryKey, _ session: Session) throws -> ItemRow? {
    guard let groups = try groups(key.group) else {
      var rows: [ItemRow] = []
      let hidden = try forEachMatch(KeychainQuery(key), session) { row, metadata in
        // An attribute that the key leaves out is empty. A query would accept any value.
        if try database.hash(key, in: metadata.group) == row.hash { rows.append(row) }
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
    for group in groups {
      let hash = try database.hash(key, in: group)
      if let row = try row(hash: hash, session, words: key.words) { return row }
    }
    return nil
  }

  /// Returns the row with a persistent reference, or nil if there is no such row that the caller
  /// may see.
  func locate(_ reference: PersistentReference, _ session: Session) throws -> ItemRow? {
    guard let entry = try entry(reference, session) else { return nil }
    return try row(entry, session, words: "number \(entry.id)")
  }

  /// Returns the entry of the item with a persistent reference, or nil if there is no such item
  /// that the caller may see.
  func entry(_ reference: PersistentReference, _ session: Session) throws -> IndexEntry? {
    guard let id = reference.id(in: keybag.store.bytes) else { return nil }
    var found: IndexEntry?
    if let row = try session.row(id: id), let entry = try session.index.entry(row.entry.key),
      entry.id == id
    {
      found = entry
    } else {
      // The row is missing or names another item. Only the whole index shows whether there is such
      // an item.
      try session.index.forEach { if $0.id == id { found = $0 } }
    }
    guard let found, found.info.classNumber == reference.data.first else { return nil }
    if let groups = try groups(nil) {
      guard try groups.map(database.scope).contains(found.scope) else { return nil }
    }
    return found
  }

  /// An item that a query may match but that could not be read.
  struct HiddenItem {
    /// The entry of the item. nil stands for several items in a damaged part of the index.
    var entry: IndexEntry?
    var reason: AtRestError
    /// True if the index alone shows that the query matches the item.
    var isCertain: Bool
  }

  /// Returns the entries that may match a query according to the index. No matching entry is
  /// missing.
  private func candidates(
    _ query: KeychainQuery, _ wanted: ItemAttributes, _ session: Session,
    _ hidden: inout [HiddenItem]
  ) throws -> [IndexEntry] {
    let scopes = try groups(query.group).map { try Set($0.map(database.scope)) }
    func isCandidate(_ entry: IndexEntry) -> Bool {
      let flag = entry.info.flags.contains(.synchronizable)
      return entry.info.classNumber == query.itemClass.number
        && (query.accessibility.map { $0.keyClass.rawValue == entry.info.keyClassNumber } ?? true)
        && (query.synchronizable == .any || flag == (query.synchronizable == .yes))
        && scopes?.contains(entry.scope) != false
    }
    var entries: [IndexEntry] = []
    if let keys = try candidateKeys(query, wanted, session) {
      for key in keys {
        do {
          if let entry = try session.index.entry(key), isCandidate(entry) { entries.append(entry) }
        } catch let error as AtRestError where error.isWithholding {
          hidden.append(HiddenItem(entry: nil, reason: error, isCertain: false))
        }
      }
    } else {
      var damaged: [AtRestError] = []
      try session.index.forEach(
        damaged: { damaged.append($0) }, { if isCandidate($0) { entries.append($0) } })
      hidden += damaged.map { HiddenItem(entry: nil, reason: $0, isCertain: false) }
    }
    return entries.sorted { $0.id < $1.id }
  }

  /// Returns the keys of the items that a query may match, if its attributes are indexed. nil means
  /// any item of the class.
  private func candidateKeys(
    _ query: KeychainQuery, _ wanted: ItemAttributes, _ session: Session
  ) throws -> Set<UInt64>? {
    if let groups = try groups(query.group),
      query.itemClass.primaryKeyAttributes.allSatisfy({ wanted[$0] != nil })
    {
      var key = ItemAttributes()
      for attribute in query.itemClass.primaryKeyAttributes { key[attribute] = wanted[attribute] }
      let variants =
        query.synchronizable == .any ? [false, true] : [query.synchronizable == .yes]
      return try Set(
        groups.flatMap { group in
          try variants.map { isSynchronizable in
            let key = PrimaryKey(
              unchecked: query.itemClass, key, group: group, synchronizable: isSynchronizable)
            return try database.hash(key, in: group).key
          }
        })
    }
    let terms: [UInt64] = try query.itemClass.indexedAttributes.compactMap { attribute in
      // A missing value counts as an empty one, and has no term.
      guard let value = wanted[attribute], !value.isEmpty(for: attribute) else { return nil }
      return try database.term(query.itemClass, attribute, value)
    }
    guard !terms.isEmpty else { return nil }
    let unknown = try session.index.keys(of: session.unknownTerm) ?? []
    do {
      return try session.index.keys(ofAll: terms).union(unknown)
    } catch AtRestError.Code.damaged {
      // The entries of the items are still there.
      return nil
    }
  }

  /// Returns the rows that match a query, without asking the user.
  ///
  /// - Throws: The reason if rows exist and none is readable, because that is not *not found*.
  func rows(_ query: KeychainQuery, _ session: Session) throws -> [ItemRow] {
    var rows: [ItemRow] = []
    let hidden = try forEachMatch(query, session) { row, _ in
      rows.append(row)
      return true
    }
    if rows.isEmpty, let first = hidden.first { throw first.reason }
    return rows
  }

  /// Calls a closure with each matching row and its opened metadata, until the closure returns
  /// false.
  ///
  /// - Returns: The items that could not be opened, with the reasons.
  func forEachMatch(
    _ query: KeychainQuery, _ session: Session,
    _ body: (ItemRow, ItemMetadata) throws -> Bool
  ) throws -> [HiddenItem] {
    if let limit = query.limit, limit < 1 {
      throw AtRestError.invalid(
        "The limit of a query cannot be \(limit).",
        remedy: "Use a limit of 1 or more, or no limit for all items.")
    }
    let wanted = try query.attributes.normalized(for: query.itemClass)
    var hidden: [HiddenItem] = []
    for entry in try candidates(query, wanted, session, &hidden) {
      do {
        let row = try row(entry, session, words: "number \(entry.id)")
        let metadata = try openMetadata(row)
        guard
          wanted.allSatisfy({
            matches(metadata.attributes[$0.key], $0.key, $0.value, query.itemClass)
          })
        else { continue }
        if try !body(row, metadata) { break }
      } catch let error as AtRestError where error.isWithholding {
        hidden.append(
          HiddenItem(
            entry: entry, reason: error,
            isCertain: try indexShows(wanted, query.itemClass, entry, session)))
      }
    }
    return hidden
  }

  /// Returns true if the index alone shows that an item has the attributes.
  private func indexShows(
    _ wanted: ItemAttributes, _ itemClass: ItemClass, _ entry: IndexEntry, _ session: Session
  ) throws -> Bool {
    guard try !session.index.names(session.unknownTerm, entry.key) else { return false }
    return try wanted.allSatisfy { attribute, value in
      guard itemClass.indexedAttributes.contains(attribute), !value.isEmpty(for: attribute) else {
        return false
      }
      return try session.index.names(database.term(itemClass, attribute, value), entry.key)
    }
  }

  /// Compares an attribute. A missing attribute of a primary key equals an empty one, as in the key
  /// itself.
  private func matches(
    _ found: ItemAttributeValue?, _ attribute: ItemAttribute, _ wanted: ItemAttributeValue,
    _ itemClass: ItemClass
  ) -> Bool {
    found == wanted
      || found == nil && wanted.isEmpty(for: attribute)
        && itemClass.primaryKeyAttributes.contains(attribute)
  }

  // MARK: Opening

  func openMetadata(_ row: ItemRow) throws -> ItemMetadata {
    let (_, accessibility) = try row.info.parts()
    let key = try classKeys.metadataKey(accessibility, generation: row.generation)
    let plaintext = try row.metadata.withUnsafeBytes {
      try GCM.open(
        $0, key: key.bytes.symmetricKey(), context: row.context(.metadata),
        name: "The metadata of item \(row.id) in \(database.path)")
    }
    return try ItemMetadata(decoding: plaintext)
  }

  /// Returns the secret of a row, after access control was decided and with the application
  /// password applied. nil if the item has no secret.
  func openSecret(
    _ row: ItemRow, _ metadata: ItemMetadata, _ decision: AccessDecision
  ) throws -> SecretBytes? {
    try decide(metadata, decision)
    guard let payload = try openPayload(row) else { return nil }
    guard let parameters = metadata.applicationPassword else { return payload }
    let key = try applicationKey(decision.applicationPassword(), parameters)
    do {
      return try key.open(
        Data(copying: payload), context: parameters.salt, name: "The secret of item \(row.id)")
    } catch {
      decision.context.remember(applicationPassword: nil)
      throw AtRestError(
        .authenticationFailed, "The application password is wrong.", remedy: "Try again.")
    }
  }

  /// Returns the contents of a row's secret box: the secret, which is sealed again if there is an
  /// application password. nil if the item has no secret.
  func openPayload(_ row: ItemRow) throws -> SecretBytes? {
    guard row.info.flags.contains(.secret) else { return nil }
    let (_, accessibility) = try row.info.parts()
    let key = try classKeys.wrapKey(accessibility)
    var secret: SecretBytes?
    try row.wrappedKey.withUnsafeBytes { wrappedKey in
      try row.secret.withUnsafeBytes { box in
        secret = try openEnvelope(wrappedKey, box, key, row.entry, row.hash)
      }
    }
    return secret
  }

  /// Returns the secret directly from the columns of a statement, for an item without access
  /// control. nil if the item requires the slow path.
  func openSecretFast(
    _ entry: IndexEntry, _ statement: PreparedStatement, _ hash: ItemHash
  ) throws -> SecretBytes? {
    let (itemClass, accessibility) = try entry.info.parts()
    // The metadata determines whether a key may be exported.
    guard itemClass != .key, entry.info.flags.contains(.secret),
      !entry.info.flags.contains(.accessControl),
      let key = try? classKeys.wrapKey(accessibility)
    else { return nil }
    return try openEnvelope(statement.bytes(3), statement.bytes(4), key, entry, hash)
  }

  private func openEnvelope(
    _ wrappedKey: UnsafeRawBufferPointer, _ box: UnsafeRawBufferPointer, _ key: SecretBox,
    _ entry: IndexEntry, _ hash: ItemHash
  ) throws -> SecretBytes {
    try SealedSecret.open(
      wrappedKey: wrappedKey, box: box, wrappedBy: key.bytes,
      context: ItemRow.context(.secret, entry, hash: hash),
      name: "The secret of item \(entry.id) in \(database.path)")
  }

  /// Refuses a row whose secret was modified, without asking the user.
  func checkWhole(_ row: ItemRow) throws {
    _ = try openPayload(row)?.count
  }

  func decide(_ metadata: ItemMetadata, _ decision: AccessDecision) throws {
    guard let accessControl = metadata.accessControl else { return }
    try decision.require(accessControl.requirement, enrolment: metadata.enrolment)
  }

  private func applicationKey(
    _ password: SecretBox, _ parameters: (kdf: PasswordKDF, salt: Data)
  ) throws -> SealingKey {
    try SealingKey(
      parameters.kdf.deriveKey(from: password.bytes, salt: parameters.salt)
        .derive(.applicationPassword))
  }

  // MARK: Sealing

  /// Returns the contents of the secret box: the secret, which is first sealed with the application
  /// password if the access control has one.
  func payload(
    _ secret: UnsafeRawBufferPointer, _ metadata: inout ItemMetadata, _ decision: AccessDecision
  ) throws -> SecretBytes {
    metadata.applicationPassword = nil
    guard metadata.accessControl?.applicationPassword == true else {
      return SecretBytes(copying: secret)
    }
    let parameters = (kdf: applicationPasswordKDF, salt: RandomBytes.data(count: 16))
    metadata.applicationPassword = parameters
    return SecretBytes(
      try applicationKey(decision.applicationPassword(), parameters)
        .seal(secret, context: parameters.salt))
  }

  // Far below the limits for reading, so that nothing is written that could not be read.
  private static var metadataLimit: Int { 1 << 20 }
  private static var groupLimit: Int { 1024 }
  private static var secretLimit: Int { 1 << 24 }

  func byteCount(_ secret: borrowing SecretBytes?) -> Int? {
    switch secret {
    case .some(let secret): secret.count
    case .none: nil
    }
  }

  /// Seals metadata and payload into a row under a new item key, in the present transaction. The
  /// row already has its hash, group and terms.
  func seal(
    _ row: inout ItemRow, _ metadata: ItemMetadata, payload: borrowing SecretBytes?,
    _ accessibility: Accessibility, _ itemClass: ItemClass, _ session: Session
  ) throws {
    let encoded = metadata.encoded
    guard encoded.count <= Self.metadataLimit, metadata.group.utf8.count <= Self.groupLimit else {
      throw AtRestError.invalid(
        "The attributes of the item take \(encoded.count) bytes, the name of its group "
          + "\(metadata.group.utf8.count).",
        remedy: "Use at most \(Self.metadataLimit) and \(Self.groupLimit) bytes.")
    }
    let count = byteCount(payload)
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
    switch payload {
    case .some(let payload):
      let key = try classKeys.wrapKey(accessibility)
      let envelope = try payload.withUnsafeBytes {
        try SealedSecret(sealing: $0, wrappedBy: key.bytes, context: row.context(.secret))
      }
      row.wrappedKey = envelope.wrappedKey
      row.secret = envelope.box
    case .none:
      row.wrappedKey = Data()
      row.secret = Data()
    }
    let key = try classKeys.metadataKey(accessibility, generation: row.generation)
    row.metadata = try GCM.seal(
      encoded, key: key.bytes.symmetricKey(), context: row.context(.metadata))
  }

  /// Returns the index terms of an item.
  func terms(_ itemClass: ItemClass, _ attributes: ItemAttributes) throws -> [UInt64] {
    try itemClass.indexedAttributes.compactMap { attribute in
      guard let value = attributes[attribute], !value.isEmpty(for: attribute) else { return nil }
      return try database.term(itemClass, attribute, value)
    }
  }

  /// Refuses protections that could never be met, before anything is written.
  func check(_ protection: ItemProtection, isSynchronizable: Bool, _ itemClass: ItemClass) throws {
    if isSynchronizable && !protection.accessibility.keyClass.isMigratable {
      throw AtRestError.invalid(
        "A synchronizable item cannot be \(protection.accessibility.name).",
        remedy: "Choose an accessibility that is not bound to this device.")
    }
    guard let accessControl = protection.accessControl else { return }
    if isSynchronizable {
      throw AtRestError.invalid(
        "A synchronizable item cannot have access control.",
        remedy: "Leave out one of the two.")
    }
    if accessControl.privateKeyUsage && itemClass != .key {
      throw AtRestError.invalid(
        "Private-key usage applies only to keys.",
        remedy: "Leave it out for \(itemClass.rawValue).")
    }
    if accessControl.needsPasscode && !keybag.hasPasscode {
      throw AtRestError(
        .passcodeNotSet, "The item would require the passcode, but none is set.",
        remedy: "Set a passcode first.")
    }
  }

  /// Returns the present enrolment, for an access control that is bound to it.
  func enrolment(for accessControl: AccessControl?) throws -> Data? {
    guard accessControl?.biometry == .currentSet else { return nil }
    if case .enrolled(let now) = biometry { return now }
    if case .devicePasscodeOr = accessControl?.requirement { return nil }
    throw AtRestError(
      .notPermitted, "The item would require biometry, but none is enrolled.",
      remedy: "Enrol biometry, or choose another access control.")
  }
}

extension AtRestError {
  /// True if a list continues without the item and reports it as withheld.
  var isWithholding: Bool {
    refusal == .locked || refusal == .damaged || code == .passcodeNotSet
  }
}
