import AtRestCrypto
import AtRestKeybag
import Foundation

/// Sends operations to the agent that serves the store. It is made for a single call.
///
/// The agent does not carry out what concerns the store as a whole, nor transactions: see
/// ``Keychain/directly(_:_:)``.
final class AgentBackend: KeychainBackend {
  private let connection: AgentConnection
  private let store: StoreBackend
  private let onChange: () -> Void

  /// - Parameters:
  ///   - store: The store in this process, for the identity and for what the agent does not give out.
  ///   - onChange: A closure that is called after a change.
  init(_ connection: AgentConnection, store: StoreBackend, onChange: @escaping () -> Void) {
    self.connection = connection
    self.store = store
    self.onChange = onChange
  }

  private var identity: ApplicationIdentity { store.identity }

  // MARK: Sending

  private func send(
    _ operation: KeychainOperation, _ context: AuthenticationContext?
  ) throws -> AgentResponse {
    try context?.checkValid()
    let named = operation.namedGroups
    for group in named { try identity.check(group) }
    let groups = identity.isOwner ? [] : identity.accessGroups
    let response = try connection.send(
      .perform(
        operation, groups: named.isEmpty ? groups : named, context: AgentContext(context)))
    if operation.isWriting { onChange() }
    return response
  }

  /// Returns a key with the group in which this process adds items.
  private func placed(_ key: PrimaryKey) -> PrimaryKey {
    var key = key
    key.group = key.group ?? identity.defaultGroup
    return key
  }

  /// Returns traits with the group in which this process adds items.
  private func placed(_ traits: KeyTraits) -> KeyTraits {
    var traits = traits
    traits.name.group = traits.name.group ?? identity.defaultGroup
    return traits
  }

  private func secret(_ bytes: UnsafeRawBufferPointer) -> AgentSecret {
    AgentSecret(SecretBytes(copying: bytes))
  }

  // MARK: Items

  func secret(of item: ItemSelector, context: AuthenticationContext?) throws -> SecretBytes {
    try send(.secret(item), context).secret()
  }

  func items(
    _ items: ItemSelector, secrets: Bool, context: AuthenticationContext?
  ) throws -> KeychainItems {
    let answer = try send(.items(items, secrets: secrets), context)
    guard case .query = items else { return KeychainItems([try answer.item()]) }
    return try answer.items()
  }

  func addedItem(_ reference: PersistentReference) throws -> KeychainItem {
    try send(.items(.reference(reference), secrets: false), .unattended).item()
  }

  func add(
    _ item: NewItem, value: UnsafeRawBufferPointer?, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try addItem(item, value: value, context: context).reference
  }

  func addItem(
    _ item: NewItem, value: UnsafeRawBufferPointer?, context: AuthenticationContext?
  ) throws -> KeychainItem {
    try send(
      .add(
        placed(item.key), item.attributes, item.protection, secret: value.map(secret),
        isHardwareKey: item.isHardwareKey), context
    ).item()
  }

  func set(
    _ key: PrimaryKey, value: UnsafeRawBufferPointer, attributes: ItemAttributes,
    protection: ItemProtection?, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try send(.set(placed(key), attributes, protection, secret: secret(value)), context).reference()
  }

  func getOrCreate(
    _ item: NewItem, context: AuthenticationContext?, make: () throws -> SecretBytes
  ) throws -> SecretBytes {
    do {
      return try secret(of: .key(item.key), context: context)
    } catch AtRestError.Code.notFound {
      let secret = try make()
      do {
        _ = try secret.withUnsafeBytes { try add(item, value: $0, context: context) }
      } catch AtRestError.Code.duplicate {
        // Another process was faster, unless the item has no value.
        return try self.secret(of: .key(item.key), context: context)
      }
      return secret
    }
  }

  func update(
    _ items: ItemSelector, _ change: ItemChange, value: UnsafeRawBufferPointer?,
    context: AuthenticationContext?
  ) throws -> Int {
    try send(.update(items, change, secret: value.map(secret)), context).count()
  }

  func delete(_ items: ItemSelector) throws -> Int { try send(.delete(items), nil).count() }

  func deleteAll(in group: String) throws -> Int { try send(.deleteAll(group), nil).count() }

  // MARK: Key pairs

  func createKey(
    _ algorithm: KeyAlgorithm, _ traits: KeyTraits, context: AuthenticationContext?
  ) throws -> PublicKey {
    try send(.createKey(algorithm, placed(traits)), context).publicKey()
  }

  func createHardwareKey(_ traits: KeyTraits, context: AuthenticationContext?) throws -> PublicKey {
    try send(.createHardwareKey(placed(traits)), context).publicKey()
  }

  func importKey(
    _ key: borrowing PrivateKey, _ traits: KeyTraits, context: AuthenticationContext?
  ) throws -> PublicKey {
    try send(
      .importKey(key.algorithm, placed(traits), AgentSecret(key.storage.duplicate())), context
    ).publicKey()
  }

  func publicKey(_ name: KeyName) throws -> PublicKey {
    try send(.publicKey(name), nil).publicKey()
  }

  func exportKey(_ name: KeyName, context: AuthenticationContext?) throws -> PrivateKey {
    try send(.exportKey(name), context).privateKey()
  }

  /// The agent only tells whether a key is in hardware. With the form of the key, a program could use it
  /// after a lock and without a grant.
  func hardwareKey(_ name: KeyName, context: AuthenticationContext?) throws -> HardwareKey? {
    let query = ItemSelector.query(KeychainQuery(keyTag: name.tag, group: name.group))
    let found = try items(query, secrets: false, context: AuthenticationContext(interaction: .skip))
    // A key in an access group in which the agent does not let this program look has no reference.
    let isWithheld = found.withheld.contains {
      $0.reference != nil || $0.reason.code != .notPermitted
    }
    guard isWithheld || found.contains(where: \.isHardwareKey) else {
      // With no key or several, this throws the reason.
      if found.count != 1 { _ = try publicKey(name) }
      return nil
    }
    do {
      return try store.hardwareKey(name, context: context)
    } catch let error as AtRestError where error.code == .locked {
      throw AtRestError.lockedHere("gives out no keys of the device's hardware", cause: error)
    }
  }

  func deleteKey(_ name: KeyName) throws { _ = try send(.deleteKey(name), nil) }

  func withKey<Result: ~Copyable>(
    _ key: KeySelector, decrypts: Bool, context: AuthenticationContext?,
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result {
    try body(.agent(AgentPrivateKey { use in try self.send(.useKey(key, use), context) }))
  }
}
