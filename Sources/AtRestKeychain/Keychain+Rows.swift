import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// Sealing, opening and finding rows.
extension Keychain {
  typealias Session = KeychainDatabase.Session

  // MARK: Finding

  /// The groups that a key or query may mean, checked; nil for the owner without one: all.
  func groups(_ named: String?) throws -> [String]? {
    if let named {
      try identity.check(named)
      return [named]
    }
    return identity.isOwner ? nil : identity.accessGroups
  }

  /// The row with a hash, or nil where the tree agrees that there is none.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` where row and tree disagree.
  func vouchedRow(_ hash: Data, _ session: Session, words: @autoclosure () -> String) throws
    -> ItemRow?
  {
    let known = try session.tree.generation(of: ItemRow.treeHash(hash))
    let row = try session.row(hash: hash)
    try vouch(row?.generation, known, words())
    return row
  }

  private func vouch(_ found: UInt64?, _ known: UInt64?, _ words: @autoclosure () -> String) throws
  {
    switch (found, known) {
    case (let found?, let known?) where found == known: return
    case (nil, nil): return
    case (nil, _?):
      throw AtRestError.damaged(
        "The item \(words()) was taken out of the keychain \(database.path).",
        remedy: "Add it again, or restore a backup.")
    case (_?, nil):
      throw AtRestError.damaged(
        "The item \(words()) was deleted, and put back into the keychain \(database.path).",
        remedy: "Delete it, or add it again.")
    case (_?, _?):
      throw AtRestError.damaged(
        "The item \(words()) was put back to an older version in the keychain \(database.path).",
        remedy: "Delete it, or set it again.")
    }
  }

  /// The row with a primary key in the caller's groups, or nil.
  func locate(_ key: PrimaryKey, _ session: Session) throws -> ItemRow? {
    guard let groups = try groups(key.group) else {
      var rows: [ItemRow] = []
      let withheld = try forEachMatch(Query(key), session) { row, metadata in
        // An attribute that the key leaves out is empty, where a query would take any.
        if try database.hash(key, in: metadata.group) == row.hash { rows.append(row) }
        return true
      }
      // By its hash, which a damaged index does not hide.
      let inDefault = try vouchedRow(
        database.hash(key, in: identity.defaultGroup), session, words: key.words)
      if let inDefault, !rows.contains(where: { $0.id == inDefault.id }) { rows.append(inDefault) }
      // What cannot be opened may be the one: not found would be a guess.
      if rows.isEmpty, let first = withheld.first { throw first.reason }
      guard rows.count < 2 else {
        throw AtRestError.invalid(
          "\(rows.count) items \(key.words) are in different access groups.",
          remedy: "Name the group.")
      }
      return rows.first
    }
    for group in groups {
      if let row = try vouchedRow(
        database.hash(key, in: group), session, words: key.words)
      {
        return row
      }
    }
    return nil
  }

  /// The row with a persistent reference, or nil where there is none that the caller may see.
  func locate(_ reference: PersistentReference, _ session: Session) throws -> ItemRow? {
    guard let id = reference.id(in: keybag.store.bytes) else { return nil }
    guard let row = try session.row(id: id) else {
      // The tree knows items by hash, not by number; their count shows that one was taken out.
      guard try session.rowCount() == session.tree.count else {
        throw AtRestError.damaged(
          "An item was taken out of the keychain \(database.path), perhaps the one referred to.",
          remedy: "Repair it (atrest repair), or restore a backup.")
      }
      return nil
    }
    guard row.itemClass.number == reference.data.first else { return nil }
    if let groups = try groups(nil) {
      guard try groups.map(database.scope).contains(row.scope) else { return nil }
    }
    try vouch(
      row.generation, session.tree.generation(of: row.treeHash), "number \(row.id)")
    return row
  }

  /// The rows that may match a query, by what can be told without opening them; not vouched for.
  private func candidates(_ query: Query, _ session: Session) throws -> [ItemRow] {
    var conditions = ["info & 255 = ?"]
    var values: [PreparedStatement.Value] = [.integer(Int64(query.itemClass.number))]
    let indexed = query.itemClass.indexedAttributes.first { attribute in
      // An absent value counts as an empty one, and has no term.
      query.attributes[attribute].map { !$0.isEmpty(for: attribute) } ?? false
    }
    if let indexed, let value = query.attributes[indexed] {
      // One index is used; the other attributes are compared when the row is open.
      conditions.append("id IN (SELECT id FROM term WHERE hash = ?)")
      values.append(
        .integer(
          try database.term(query.itemClass, indexed, value.normalized(for: indexed))))
    }
    if let accessibility = query.accessibility {
      conditions.append("(info >> 8) & 255 = ?")
      values.append(.integer(Int64(accessibility.keyClass.rawValue)))
    }
    if query.synchronizable != .any {
      conditions.append("(info >> 16) & 8 = ?")
      values.append(.integer(query.synchronizable == .yes ? 8 : 0))
    }
    if let groups = try groups(query.group) {
      conditions.append(
        "scope IN (\(Array(repeating: "?", count: groups.count).joined(separator: ",")))")
      for group in groups { values.append(.integer(try database.scope(group))) }
    }
    let statement = try session.statement(
      "SELECT \(ItemRow.columns) FROM item WHERE \(conditions.joined(separator: " AND ")) "
        + "ORDER BY id")
    defer { statement.reset() }
    try statement.bind(values)
    var rows: [ItemRow] = []
    while try statement.step() {
      do {
        rows.append(try ItemRow(statement))
      } catch AtRestError.Code.damaged {
        // A row whose class cannot be read hides no other.
        continue
      }
    }
    return rows
  }

  /// The rows that match a query, without asking anybody.
  ///
  /// - Throws: Where none is readable and some exist, the reason: it is no *not found*.
  func rows(_ query: Query, _ session: Session) throws -> [ItemRow] {
    var rows: [ItemRow] = []
    let withheld = try forEachMatch(query, session) { row, _ in
      rows.append(row)
      return true
    }
    if rows.isEmpty, let first = withheld.first { throw first.reason }
    return rows
  }

  /// Calls a closure with each row that matches, open, until it returns false.
  ///
  /// - Returns: The rows that could not be opened, with the reason.
  func forEachMatch(
    _ query: Query, _ session: Session,
    _ body: (ItemRow, ItemMetadata) throws -> Bool
  ) throws -> [Items.Withheld] {
    if let limit = query.limit, limit < 1 {
      throw AtRestError.invalid(
        "A query for at most \(limit) items means none.",
        remedy: "Give a limit of 1 or more, or none for all.")
    }
    let wanted = try query.attributes.normalized(for: query.itemClass)
    var withheld: [Items.Withheld] = []
    for row in try candidates(query, session) {
      do {
        try vouch(
          row.generation, session.tree.generation(of: row.treeHash), "number \(row.id)")
        let metadata = try openMetadata(row)
        guard wanted.allSatisfy({ matches(metadata.attributes[$0.key], $0.key, $0.value, row) })
        else { continue }
        if try !body(row, metadata) { break }
      } catch let error as AtRestError where error.isWithholding {
        withheld.append(Items.Withheld(reference: reference(row), reason: error))
      }
    }
    return withheld
  }

  /// An absent value of a primary key's attribute is an empty one, as in the key itself.
  private func matches(
    _ found: AttributeValue?, _ attribute: Attribute, _ wanted: AttributeValue, _ row: ItemRow
  ) -> Bool {
    found == wanted
      || found == nil && wanted.isEmpty(for: attribute)
        && row.itemClass.primaryKeyAttributes.contains(attribute)
  }

  // MARK: Opening

  func openMetadata(_ row: ItemRow) throws -> ItemMetadata {
    let keys = try classKeys.keys(row.accessibility)
    let plaintext = try row.metadata.withUnsafeBytes {
      try GCM.open(
        $0, key: keys.metadata.bytes.symmetricKey(), context: row.context(.metadata),
        name: "The metadata of item \(row.id) in \(database.path)")
    }
    return try ItemMetadata(decoding: plaintext)
  }

  /// The secret of a row, with access control decided and application password applied; nil where
  /// the item has none.
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

  /// What the row's secret box holds: the secret, or where there is an application password, the
  /// secret sealed with that. Nil where the item has none.
  func openPayload(_ row: ItemRow) throws -> SecretBytes? {
    guard row.flags.contains(.secret) else { return nil }
    let itemKey = try unwrap(row.wrappedKey, classKeys.keys(row.accessibility), row.id)
    var plaintext = try row.secret.withUnsafeBytes {
      try GCM.open(
        $0, key: itemKey, context: row.context(.secret),
        name: "The secret of item \(row.id) in \(database.path)")
    }
    return SecretBytes(erasing: &plaintext)
  }

  /// The secret straight from the columns of a statement, for an item without access control; nil
  /// where it takes the longer way.
  func openSecretFast(_ statement: PreparedStatement, _ hash: Data) throws -> SecretBytes? {
    let info = statement.integer(4)
    let (itemClass, accessibility, flags) = try ItemRow.parts(ofInfo: info)
    // Whether a key may leave is in its metadata.
    guard itemClass != .key, flags.contains(.secret), !flags.contains(.accessControl),
      let keys = try? classKeys.keys(accessibility)
    else { return nil }
    let id = statement.integer(0)
    let itemKey = try unwrap(statement.bytes(5), keys, id)
    var plaintext = try GCM.open(
      statement.bytes(7), key: itemKey,
      context: ItemRow.context(
        .secret, id: id, generation: UInt64(bitPattern: statement.integer(2)),
        scope: statement.integer(3), info: info, hash: hash),
      name: "The secret of item \(id) in \(database.path)")
    return SecretBytes(erasing: &plaintext)
  }

  /// Refuses a row whose secret was changed, asking nobody.
  func checkWhole(_ row: ItemRow) throws {
    _ = try openPayload(row)?.count
  }

  private func unwrap(
    _ wrapped: some DataProtocol, _ keys: ClassKeyCache.Keys, _ id: Int64
  ) throws -> SymmetricKey {
    do {
      return try KeyWrap.unwrap(wrapped, using: keys.wrap.bytes.symmetricKey())
    } catch {
      throw AtRestError.damaged(
        "The key of item \(id) in \(database.path) does not unwrap: it was changed.")
    }
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

  /// What goes into the secret box: the secret, sealed with the application password first where
  /// the access control has one.
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

  // Far below what reading allows, so that nothing is written that could not be read.
  private static var metadataLimit: Int { 1 << 20 }
  private static var groupLimit: Int { 1024 }
  private static var secretLimit: Int { 1 << 24 }

  func byteCount(_ secret: borrowing SecretBytes?) -> Int? {
    switch secret {
    case .some(let secret): secret.count
    case .none: nil
    }
  }

  /// Seals metadata and payload into a row at a new generation, under a new item key.
  func seal(
    _ row: inout ItemRow, _ metadata: ItemMetadata, payload: borrowing SecretBytes?,
    _ session: Session
  ) throws {
    let keys = try classKeys.keys(row.accessibility)
    let encoded = metadata.encoded
    guard encoded.count <= Self.metadataLimit, metadata.group.utf8.count <= Self.groupLimit else {
      throw AtRestError.invalid(
        "The attributes of the item take \(encoded.count) bytes, the name of its group "
          + "\(metadata.group.utf8.count).",
        remedy: "At most \(Self.metadataLimit) and \(Self.groupLimit) fit.")
    }
    if let count = byteCount(payload), count > Self.secretLimit {
      throw AtRestError.invalid(
        "The secret has \(count) bytes; at most \(Self.secretLimit) fit into an item.",
        remedy: "Keep the data in a file, and its key in the keychain.")
    }
    row.generation = session.tree.nextGeneration()
    // A new row's number is the generation that it begins with, so no number comes twice.
    if row.id == 0 { row.id = Int64(row.generation) }
    row.flags = []
    if metadata.isSynchronizable { row.flags.insert(.synchronizable) }
    if metadata.accessControl != nil { row.flags.insert(.accessControl) }
    switch payload {
    case .some(let payload):
      row.flags.insert(.secret)
      let itemKey = SymmetricKey(size: .bits256)
      row.wrappedKey = try KeyWrap.wrap(
        itemKey, using: keys.wrap.bytes.symmetricKey())
      row.secret = try payload.withUnsafeBytes {
        try GCM.seal($0, key: itemKey, context: row.context(.secret))
      }
    case .none:
      row.wrappedKey = Data()
      row.secret = Data()
    }
    row.metadata = try GCM.seal(
      encoded, key: keys.metadata.bytes.symmetricKey(), context: row.context(.metadata))
  }

  /// The index terms of an item.
  func terms(_ itemClass: ItemClass, _ attributes: Attributes) throws -> [Int64] {
    try itemClass.indexedAttributes.compactMap { attribute in
      try attributes[attribute].map { try database.term(itemClass, attribute, $0) }
    }
  }

  /// Refuses protections that could never be met, before anything is written.
  func check(_ protection: Protection, isSynchronizable: Bool, _ itemClass: ItemClass) throws {
    if isSynchronizable && !protection.accessibility.keyClass.isMigratable {
      throw AtRestError.invalid(
        "A synchronizable item cannot be \(protection.accessibility.name).",
        remedy: "Choose an accessibility that is not bound to this device.")
    }
    guard let accessControl = protection.accessControl else { return }
    if isSynchronizable {
      throw AtRestError.invalid(
        "A synchronizable item cannot have access control.",
        remedy: "Leave one of the two out.")
    }
    if accessControl.privateKeyUsage && itemClass != .key {
      throw AtRestError.invalid(
        "Private-key usage is for keys.", remedy: "Leave it out for \(itemClass.rawValue).")
    }
    if accessControl.needsPasscode && !keybag.hasPasscode {
      throw AtRestError(
        .passcodeNotSet, "The item would ask for the passcode, and none is set.",
        remedy: "Set a passcode first.")
    }
  }

  /// Who is enrolled, where an access control is bound to that.
  func enrolment(for accessControl: AccessControl?) throws -> Data? {
    guard accessControl?.biometry == .currentSet else { return nil }
    if case .enrolled(let now) = biometry { return now }
    if case .devicePasscodeOr = accessControl?.requirement { return nil }
    throw AtRestError(
      .notPermitted, "The item would ask for biometry, and none is enrolled.",
      remedy: "Enrol it, or choose another access control.")
  }
}

extension AtRestError {
  /// Whether a list goes on without the item and says so.
  var isWithholding: Bool {
    refusal == .locked || refusal == .damaged || code == .passcodeNotSet
  }
}
