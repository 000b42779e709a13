import AtRestCrypto
import AtRestKeybag
import Foundation

/// The asynchronous forms of calls with secrets, which have the same names and run off the caller's actor.
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

  /// Updates the secret of an item, off the caller's actor.
  public func update(
    _ key: PrimaryKey, secret: borrowing SecretBytes, context: AuthenticationContext? = nil
  ) async throws {
    let secret = SecretBox(secret.duplicate())
    try await offActor { try self.update(key, secret: secret.bytes, context: context) }
  }

  /// Updates an item and its secret in one step, off the caller's actor.
  public func update(
    _ key: PrimaryKey, _ change: ItemChange, secret: borrowing SecretBytes,
    context: AuthenticationContext? = nil
  ) async throws {
    let secret = SecretBox(secret.duplicate())
    try await offActor { try self.update(key, change, secret: secret.bytes, context: context) }
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
}
