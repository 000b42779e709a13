import AtRestCrypto
import AtRestKeychain
import Foundation

/// Rights that outlive the process, in the default keychain.
///
/// ```swift
/// let right = LARight(requirement: .biometryCurrentSet)
/// _ = try await LARightStore.shared.saveRight(right, identifier: "notes", secret: key)
/// ```
///
/// The requirement of a right is stored beside its secret, so nobody is asked when a right is found. The
/// secret is a generic password with access control. The key is a P-256 key with the same access control,
/// in the device's hardware if it has any. All are in an access group of their own, which the queries and
/// deletions of the application never reach. Safe to use from several threads.
public final class LARightStore: NSObject, Sendable {
  /// The store.
  public static let shared = LARightStore()

  private static let service = "atrest.rights"

  private static func key(_ identifier: String) -> PrimaryKey {
    .genericPassword(service: service, account: identifier)
  }

  static func secretKey(_ identifier: String) -> PrimaryKey {
    .genericPassword(service: "\(service).secrets", account: identifier)
  }

  /// The tag of the private key of a right.
  static func keyTag(_ identifier: String) -> String { "\(service).\(identifier)" }

  /// Returns the keychain of the application's rights.
  private static func keychain(_ function: String) throws -> Keychain {
    let keychain = try DefaultKeychain.get(for: nil, "LARightStore.\(function)")
    return keychain.acting(as: ApplicationIdentity("\(keychain.identity.identifier) rights"))
  }

  /// Performs an operation on the keychain of the application's rights.
  ///
  /// - Throws: ``LAError``.
  private static func perform<Result: Sendable>(
    _ function: String, _ body: (Keychain) async throws -> Result
  ) async throws -> Result {
    do {
      return try await body(keychain(function))
    } catch {
      throw LAError(error)
    }
  }

  // MARK: Finding

  /// Returns a right that was stored.
  ///
  /// - Throws: ``LAError``, with the code ``LAError/Code/invalidContext`` if there is no such right, and
  ///   ``LAError/Code/notInteractive`` if the device is locked.
  public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
    try await Self.perform("right") { keychain in
      let item = try await keychain.item(for: Self.key(identifier))
      guard let name = item.attributes.comment,
        let requirement = LAAuthenticationRequirement.named(name)
      else { throw AtRestError.damaged("The right \(identifier) has an unknown requirement.") }
      let publicKey = try await keychain.background {
        try $0.publicKey(tag: Self.keyTag(identifier))
      }
      return LAPersistedRight(
        requirement, identifier: identifier, keychain: keychain, publicKey: publicKey)
    }
  }

  /// Finds a right that was stored, and calls a closure with the right or an ``LAError``.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func right(
    forIdentifier identifier: String,
    completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    callBack(handler) { try await self.right(forIdentifier: identifier) }
  }

  // MARK: Saving

  /// Stores a right without a secret, and makes its key. A right with this identifier is replaced.
  ///
  /// - Throws: The errors of `saveRight(_:identifier:secret:)`.
  @discardableResult
  public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
    try await save(right, identifier, secret: nil)
  }

  /// Stores a right without a secret, and calls a closure with the right or an ``LAError``.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func saveRight(
    _ right: LARight, identifier: String,
    completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    callBack(handler) { try await self.saveRight(right, identifier: identifier) }
  }

  /// Stores a right and a secret, and makes its key. A right with this identifier is replaced.
  ///
  /// - Throws: ``LAError``, with the codes ``LAError/Code/notInteractive`` if the device is locked,
  ///   ``LAError/Code/passcodeNotSet`` if the right requires a passcode and none is set, and
  ///   ``LAError/Code/biometryNotEnrolled`` if it requires biometry and none is enrolled.
  @discardableResult
  public func saveRight(
    _ right: LARight, identifier: String, secret: Data
  ) async throws -> LAPersistedRight {
    try await save(right, identifier, secret: secret)
  }

  private func save(
    _ right: LARight, _ identifier: String, secret: Data?
  ) async throws -> LAPersistedRight {
    let name = right.requirement.name
    let protection = ItemProtection.controlled(right.control)
    let box = secret.map { SecretBox(SecretBytes($0)) }
    return try await Self.perform("saveRight") { keychain in
      DefaultKeychain.tellOfMissingPasscode(keychain)
      let publicKey = try await keychain.background { keychain in
        try keychain.transaction {
          try Self.remove(identifier, from: keychain)
          try keychain.addWithoutSecret(
            Self.key(identifier), attributes: [.comment: .text(name)],
            protection: .accessible(.whenUnlockedThisDeviceOnly))
          if let box {
            try keychain.add(Self.secretKey(identifier), secret: box.bytes, protection: protection)
          }
          let tag = Self.keyTag(identifier)
          return keychain.hasHardwareKeys
            ? try keychain.createHardwareKey(tag: tag, protection: protection)
            : try keychain.createKey(.p256, tag: tag, protection: protection)
        }
      }
      return LAPersistedRight(
        right.requirement, identifier: identifier, keychain: keychain, publicKey: publicKey)
    }
  }

  /// Stores a right and a secret, and calls a closure with the right or an ``LAError``.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func saveRight(
    _ right: LARight, identifier: String, secret: Data,
    completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    callBack(handler) {
      try await self.saveRight(right, identifier: identifier, secret: secret)
    }
  }

  // MARK: Removing

  /// Removes a right, its key and its secret. The user is not asked.
  ///
  /// - Throws: ``LAError``. A right that does not exist is no error.
  public func removeRight(_ right: LAPersistedRight) async throws {
    try await removeRight(forIdentifier: right.identifier)
  }

  /// Removes a right, its key and its secret, and calls a closure with nil or an ``LAError``.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func removeRight(
    _ right: LAPersistedRight, completion handler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    callBack(handler) { try await self.removeRight(right) }
  }

  /// Removes a right, its key and its secret by the identifier. The user is not asked.
  ///
  /// - Throws: ``LAError``. A right that does not exist is no error.
  public func removeRight(forIdentifier identifier: String) async throws {
    try await Self.perform("removeRight") { keychain in
      try await keychain.background { keychain in
        try keychain.transaction { try Self.remove(identifier, from: keychain) }
      }
    }
  }

  /// Removes a right, its key and its secret by the identifier, and calls a closure with nil or an
  /// ``LAError``.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func removeRight(
    forIdentifier identifier: String,
    completion handler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    callBack(handler) {
      try await self.removeRight(forIdentifier: identifier)
    }
  }

  /// Removes all rights of the application, their keys and secrets. The user is not asked.
  ///
  /// - Throws: ``LAError``.
  public func removeAllRights() async throws {
    try await Self.perform("removeAllRights") { keychain in
      try await keychain.background { keychain in
        try keychain.transaction {
          for kind in [ItemClass.genericPassword, .key] {
            _ = try keychain.delete(matching: KeychainQuery(kind))
          }
        }
      }
    }
  }

  /// Removes all rights of the application, their keys and secrets, and calls a closure with nil or an
  /// ``LAError``.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func removeAllRights(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
    callBack(handler) { try await self.removeAllRights() }
  }

  private static func remove(_ identifier: String, from keychain: Keychain) throws {
    let deletions: [() throws -> Void] = [
      { try keychain.delete(key(identifier)) }, { try keychain.delete(secretKey(identifier)) },
      { try keychain.deleteKey(tag: keyTag(identifier)) },
    ]
    for delete in deletions {
      do {
        try delete()
      } catch AtRestError.Code.notFound {
        continue
      }
    }
  }
}
