import AtRestCrypto
import AtRestKeybag
import Foundation

/// The asynchronous forms of the calls, which have the same names and run off the caller's actor.
///
/// Each form throws the errors of the synchronous form. While the user is asked, only the task that
/// caused the prompt waits.
extension Keychain {
  /// Adds an item, off the caller's actor.
  @discardableResult
  public func add(
    _ key: PrimaryKey, secret: borrowing SecretBytes, attributes: ItemAttributes = [:],
    protection: ItemProtection = .whenUnlocked, context: AuthenticationContext? = nil
  ) async throws -> PersistentReference {
    let secret = SecretBox(secret.duplicate())
    return try await offActor {
      try self.add(
        key, secret: secret.bytes, attributes: attributes, protection: protection,
        context: context)
    }
  }

  /// Adds an item that has attributes but no value, off the caller's actor.
  @discardableResult
  public func addWithoutSecret(
    _ key: PrimaryKey, attributes: ItemAttributes = [:], protection: ItemProtection = .whenUnlocked
  ) async throws -> PersistentReference {
    try await offActor {
      try self.addWithoutSecret(key, attributes: attributes, protection: protection)
    }
  }

  /// Stores a secret whether or not the item exists, off the caller's actor.
  @discardableResult
  public func set(
    _ key: PrimaryKey, secret: borrowing SecretBytes, attributes: ItemAttributes = [:],
    protection: ItemProtection? = nil, context: AuthenticationContext? = nil
  ) async throws -> PersistentReference {
    let secret = SecretBox(secret.duplicate())
    return try await offActor {
      try self.set(
        key, secret: secret.bytes, attributes: attributes, protection: protection,
        context: context)
    }
  }

  /// Returns the secret of an item, off the caller's actor. Creates the item first if it does not
  /// exist.
  public func getOrCreate(
    _ key: PrimaryKey, attributes: ItemAttributes = [:], protection: ItemProtection = .whenUnlocked,
    context: AuthenticationContext? = nil, make: @escaping @Sendable () throws -> SecretBytes
  ) async throws -> SecretBytes {
    try await offActor {
      try self.getOrCreate(
        key, attributes: attributes, protection: protection, context: context, make: make)
    }
  }

  /// Returns the secret of the item with a primary key, off the caller's actor.
  public func secret(
    for key: PrimaryKey, context: AuthenticationContext? = nil
  ) async throws -> SecretBytes {
    try await offActor { try self.secret(for: key, context: context) }
  }

  /// Returns the secret of the item with a persistent reference, off the caller's actor.
  public func secret(
    for reference: PersistentReference, context: AuthenticationContext? = nil
  ) async throws -> SecretBytes {
    try await offActor { try self.secret(for: reference, context: context) }
  }

  /// Returns the item with a primary key, off the caller's actor.
  public func item(
    for key: PrimaryKey, context: AuthenticationContext? = nil
  ) async throws -> KeychainItem {
    try await offActor { try self.item(for: key, context: context) }
  }

  /// Returns the item with a persistent reference, off the caller's actor.
  public func item(
    for reference: PersistentReference, context: AuthenticationContext? = nil
  ) async throws -> KeychainItem {
    try await offActor { try self.item(for: reference, context: context) }
  }

  /// Returns the items that a query matches, off the caller's actor.
  public func items(
    matching query: KeychainQuery, secrets: Bool = false, context: AuthenticationContext? = nil
  ) async throws -> KeychainItems {
    try await offActor { try self.items(matching: query, secrets: secrets, context: context) }
  }

  /// Returns the number of items, off the caller's actor.
  public func count() async throws -> Int {
    try await offActor { try self.count() }
  }

  /// Returns the number of items with an accessibility in the whole keychain, off the caller's
  /// actor.
  public func count(_ accessibility: Accessibility) async throws -> Int {
    try await offActor { try self.count(accessibility) }
  }

  /// Updates the secret of an item, off the caller's actor.
  public func update(
    _ key: PrimaryKey, secret: borrowing SecretBytes, context: AuthenticationContext? = nil
  ) async throws {
    let secret = SecretBox(secret.duplicate())
    try await offActor { try self.update(key, secret: secret.bytes, context: context) }
  }

  /// Updates an item in one step, off the caller's actor.
  public func update(
    _ key: PrimaryKey, _ change: ItemChange, context: AuthenticationContext? = nil
  ) async throws {
    try await offActor { try self.update(key, change, context: context) }
  }

  /// Updates an item and its secret in one step, off the caller's actor.
  public func update(
    _ key: PrimaryKey, _ change: ItemChange, secret: borrowing SecretBytes,
    context: AuthenticationContext? = nil
  ) async throws {
    let secret = SecretBox(secret.duplicate())
    try await offActor { try self.update(key, change, secret: secret.bytes, context: context) }
  }

  /// Updates all items that a query matches, or none of them, off the caller's actor.
  @discardableResult
  public func update(
    matching query: KeychainQuery, _ change: ItemChange, context: AuthenticationContext? = nil
  ) async throws -> Int {
    try await offActor { try self.update(matching: query, change, context: context) }
  }

  /// Moves an item to another primary key, off the caller's actor.
  public func move(
    _ key: PrimaryKey, to new: PrimaryKey, context: AuthenticationContext? = nil
  ) async throws {
    try await offActor { try self.move(key, to: new, context: context) }
  }

  /// Deletes an item, off the caller's actor.
  public func delete(_ key: PrimaryKey) async throws {
    try await offActor { try self.delete(key) }
  }

  /// Deletes the item with a persistent reference, off the caller's actor.
  public func delete(_ reference: PersistentReference) async throws {
    try await offActor { try self.delete(reference) }
  }

  /// Deletes all items that a query matches, off the caller's actor.
  @discardableResult
  public func delete(matching query: KeychainQuery) async throws -> Int {
    try await offActor { try self.delete(matching: query) }
  }

  /// Runs several calls as one durable transaction, off the caller's actor.
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await offActor { try self.transaction(body) }
  }

  /// Opens the keychain of a store, off the caller's actor.
  public static func open(
    _ keybag: Keybag, identity: ApplicationIdentity, authenticator: (any Authenticator)? = nil,
    acceptingOlder: Bool = false, usesAgent: Bool = true
  ) async throws -> Keychain {
    try await offActor {
      try open(
        keybag, identity: identity, authenticator: authenticator, acceptingOlder: acceptingOlder,
        usesAgent: usesAgent)
    }
  }

  /// Checks the whole keychain, off the caller's actor.
  public func verify() async throws -> VerificationReport {
    try await offActor { try self.verify() }
  }

  /// Repairs the keychain, off the caller's actor.
  public func repair() async throws -> RepairReport {
    try await offActor { try self.repair() }
  }

  /// Repairs a keychain that does not open, off the caller's actor.
  public static func repair(_ keybag: Keybag) async throws -> RepairReport {
    try await offActor { try repair(keybag) }
  }

  /// Destroys the whole store at once, off the caller's actor.
  public func wipe() async throws { try await offActor { try self.wipe() } }
}
