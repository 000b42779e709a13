import AtRestCrypto
import AtRestKeybag
import Foundation

/// Carries out operations on the store in this process: makes an ``ItemReader`` or ``ItemWriter`` for
/// each call, in a transaction of the database.
final class StoreBackend: KeychainBackend, Sendable {
  let keybag: Keybag
  let identity: ApplicationIdentity
  let database: KeychainDatabase
  let classKeys: ClassKeyCache
  /// Seals and opens the boxes of the rows.
  let boxes: RowBoxes
  let authenticator: (any Authenticator)?
  let clock: @Sendable () -> Date

  /// - Parameters:
  ///   - connection: A database in memory, or nil for the file of the store.
  ///   - onChange: A closure that is told of each change that is durable.
  init(
    _ keybag: Keybag, connection: Connection?, identity: ApplicationIdentity,
    authenticator: (any Authenticator)?, opening: KeychainDatabase.Opening,
    clock: @escaping @Sendable () -> Date, onChange: @escaping @Sendable (KeychainChange) -> Void
  ) throws {
    self.keybag = keybag
    self.identity = identity
    self.authenticator = authenticator
    self.clock = clock
    classKeys = ClassKeyCache(keybag)
    database = try KeychainDatabase(
      keybag, classKeys, connection: connection, opening: opening, onChange: onChange)
    boxes = RowBoxes(classKeys: classKeys, path: database.path)
  }

  /// Creates a backend with the database of another one.
  init(_ other: StoreBackend, as identity: ApplicationIdentity) {
    self.identity = identity
    (keybag, database, classKeys) = (other.keybag, other.database, other.classKeys)
    (boxes, authenticator, clock) = (other.boxes, other.authenticator, other.clock)
  }

  /// Closes the database and erases derived keys.
  func close() {
    database.close()
    classKeys.clear()
  }

  // MARK: Reading

  func secret(of item: ItemSelector, context: AuthenticationContext?) throws -> SecretBytes {
    switch item {
    case .key(let key):
      if let secret = try secretFast(for: key) { return secret }
      return try reading(with: context) { try $0.secret(for: key) }
    case .reference(let reference):
      return try reading(with: context) { try $0.secret(for: reference) }
    // A request that selects the item by a query is not decoded.
    case .query: throw AgentLimits.malformed
    }
  }

  /// Returns the secret of an item without access control, with one SQL statement and the index in
  /// memory. nil means that the secret must be read in a transaction.
  private func secretFast(for key: PrimaryKey) throws -> SecretBytes? {
    guard !identity.isOwner, let group = key.group ?? onlyGroup else { return nil }
    try identity.check(group)
    let hash = try database.hashes.hash(key, in: group)
    do {
      return try database.readFast(hash) {
        try boxes.openSecretFast(of: $0, hash: hash, from: $1)
      }
    } catch AtRestError.Code.damaged {
      // Reading in a transaction shows whether the row is damaged, or its class key was destroyed
      // in the meantime.
      return nil
    }
  }

  private var onlyGroup: String? {
    identity.keychainAccessGroups.isEmpty && identity.applicationGroups.isEmpty
      ? identity.identifier : nil
  }

  func items(
    _ items: ItemSelector, secrets: Bool, context: AuthenticationContext?
  ) throws -> KeychainItems {
    try reading(with: context) {
      switch items {
      case .key(let key): KeychainItems([try $0.item(for: key, secrets: secrets)])
      case .reference(let reference):
        KeychainItems([try $0.item(for: reference, secrets: secrets)])
      case .query(let query): try $0.items(matching: query, secrets: secrets)
      }
    }
  }

  func addedItem(_ reference: PersistentReference) throws -> KeychainItem {
    try reading(with: .unattended) { try $0.addedItem(for: reference) }
  }

  // MARK: Writing

  func add(
    _ item: NewItem, value: UnsafeRawBufferPointer?, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try writing(with: context) { try $0.add(item, value: value) }
  }

  func addItem(
    _ item: NewItem, value: UnsafeRawBufferPointer?, context: AuthenticationContext?
  ) throws -> KeychainItem {
    try writing(with: context) {
      try $0.reader.addedItem(for: $0.add(item, value: value))
    }
  }

  func set(
    _ key: PrimaryKey, value: UnsafeRawBufferPointer, attributes: ItemAttributes,
    protection: ItemProtection?, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try writing(with: context) {
      try $0.set(key, secret: value, attributes: attributes, protection: protection)
    }
  }

  func getOrCreate(
    _ item: NewItem, context: AuthenticationContext?, make: () throws -> SecretBytes
  ) throws -> SecretBytes {
    // Kept across prompts, because the transaction runs again after each prompt.
    var made: SecretBox?
    return try writing(with: context, isShared: false) {
      try $0.getOrAdd(item.key, attributes: item.attributes, protection: item.protection) {
        let secret = try made ?? SecretBox(callersOwn { try make() })
        made = secret
        return secret
      }
    }
  }

  func update(
    _ items: ItemSelector, _ change: ItemChange, value: UnsafeRawBufferPointer?,
    context: AuthenticationContext?
  ) throws -> Int {
    try writing(with: context, isShared: !items.isQuery) {
      switch items {
      case .key(let key): try $0.update(key, change: change, secret: value)
      case .reference(let reference): try $0.update(reference, change: change, secret: value)
      case .query(let query):
        return try $0.updateAll(matching: query, change: change, secret: value)
      }
      return 1
    }
  }

  func delete(_ items: ItemSelector) throws -> Int {
    try writing(with: .unattended, isShared: !items.isQuery) {
      switch items {
      case .key(let key): try $0.delete(key)
      case .reference(let reference): try $0.delete(reference)
      case .query(let query): return try $0.deleteAll(matching: query)
      }
      return 1
    }
  }

  func deleteAll(in group: String) throws -> Int {
    try writing(with: .unattended, isShared: false) { writer in
      try ItemClass.allCases.reduce(0) { count, itemClass in
        try count
          + writer.deleteAll(
            matching: KeychainQuery(itemClass, group: group, synchronizable: .any))
      }
    }
  }
}

extension ItemWriter {
  func add(_ item: NewItem, value: UnsafeRawBufferPointer?) throws -> PersistentReference {
    try add(
      item.key, secret: value, attributes: item.attributes, protection: item.protection,
      isHardwareKey: item.isHardwareKey)
  }
}
