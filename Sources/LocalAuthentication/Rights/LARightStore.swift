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
/// secret is a generic password with access control. Safe to use from several threads.
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

  /// Returns a right that was stored.
  ///
  /// - Throws: `AtRestError` with the code `notFound` or `locked`.
  public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
    let keychain = try DefaultKeychain.get()
    let item = try await keychain.item(for: Self.key(identifier))
    guard let name = item.attributes.comment,
      let requirement = LAAuthenticationRequirement.named(name)
    else { throw AtRestError.damaged("The right \(identifier) has an unknown requirement.") }
    return LAPersistedRight(requirement, identifier: identifier, keychain: keychain)
  }

  /// Stores a right without a secret. A right with this identifier is replaced.
  ///
  /// - Throws: The errors of ``saveRight(_:identifier:secret:)``.
  public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
    try await saveRight(right, identifier: identifier, secret: Data())
  }

  /// Stores a right and a secret. A right with this identifier is replaced.
  ///
  /// - Throws: `AtRestError` with the code `locked`, `passcodeNotSet` if the right requires a
  ///   passcode and none is set, or `notPermitted` if it requires biometry and none is enrolled.
  public func saveRight(
    _ right: LARight, identifier: String, secret: Data
  ) async throws -> LAPersistedRight {
    let keychain = try DefaultKeychain.get()
    let name = right.requirement.name
    let protection = ItemProtection.controlled(right.control)
    let box = SecretBox(SecretBytes(secret))
    try await keychain.transaction {
      try Self.remove(identifier, from: keychain)
      try keychain.addWithoutSecret(
        Self.key(identifier), attributes: [.comment: .text(name)],
        protection: .accessible(.whenUnlockedThisDeviceOnly))
      try keychain.add(Self.secretKey(identifier), secret: box.bytes, protection: protection)
    }
    return LAPersistedRight(right.requirement, identifier: identifier, keychain: keychain)
  }

  /// Removes a right and its secret. The user is not asked.
  ///
  /// - Throws: `AtRestError`. A right that does not exist is no error.
  public func removeRight(_ right: LAPersistedRight) async throws {
    try await removeRight(forIdentifier: right.identifier)
  }

  /// Removes a right and its secret by the identifier. The user is not asked.
  ///
  /// - Throws: `AtRestError`. A right that does not exist is no error.
  public func removeRight(forIdentifier identifier: String) async throws {
    let keychain = try DefaultKeychain.get()
    try await keychain.transaction { try Self.remove(identifier, from: keychain) }
  }

  /// Removes all rights of the application and their secrets. The user is not asked.
  ///
  /// - Throws: `AtRestError`.
  public func removeAllRights() async throws {
    let keychain = try DefaultKeychain.get()
    try await keychain.transaction {
      for service in [Self.service, "\(Self.service).secrets"] {
        try keychain.delete(
          matching: KeychainQuery(.genericPassword, [.service: .text(service)]))
      }
    }
  }

  private static func remove(_ identifier: String, from keychain: Keychain) throws {
    for key in [key(identifier), secretKey(identifier)] {
      do {
        try keychain.delete(key)
      } catch AtRestError.Code.notFound {
        continue
      }
    }
  }
}
