@_spi(Tools) import AtRestCrypto
import AtRestKeychain
import Foundation

/// A vault's items in the keychain. See `docs/Formats.md`, *The Vault*.
struct VaultItems: Sendable {
  let keychain: Keychain
  /// The name of the vault.
  let name: String

  /// The items of a compartment that have a service of their own.
  enum Part: String, CaseIterable {
    /// Values, and the vault's own items. All of them can be read without asking the user.
    case values = ""
    /// Keys of stamped values and envelopes.
    case keys = ".keys"
    /// Keys of pseudonyms, which can be destroyed together while the store is locked.
    case pseudonyms = ".pseudonyms"
  }

  // MARK: The vault's own

  private var group: String { keychain.identity.defaultGroup }

  var registryKey: PrimaryKey { ownKey("registry") }
  var clockKey: PrimaryKey { ownKey("clock") }

  private func ownKey(_ account: String) -> PrimaryKey {
    .genericPassword(service: "atrest.vault.\(name)", account: account, group: group)
  }

  /// The registry, or nil if the vault was wiped or not made yet.
  func registry() throws -> Registry? {
    do {
      return try keychain.secret(for: registryKey).withUnsafeBytes { try Registry(decoding: $0) }
    } catch AtRestError.Code.notFound {
      return nil
    }
  }

  func save(_ registry: Registry) throws {
    // The registry is readable before the first unlock, and migrates to another device if values
    // may.
    try keychain.set(
      registryKey, secret: registry.encoded,
      // atrest:ignore keychain-accessible-always names of files and no secret
      protection: .accessible(.always))
  }

  /// Rebuilds a registry from the items. It is not saved.
  func recoveredRegistry(of installation: Data) -> Registry {
    Registry(
      recovering: installation, keychain, service: "atrest.vault.\(name).",
      registry: registryKey)
  }

  func deleteClock() throws { try keychain.delete(matching: KeychainQuery(clockKey)) }

  // MARK: Of a compartment

  func service(of compartment: Data, _ part: Part = .values) -> String {
    "atrest.vault.\(name).\(compartment.hexadecimal)\(part.rawValue)"
  }

  func key(_ account: String, of compartment: Data) -> PrimaryKey {
    .genericPassword(service: service(of: compartment), account: account, group: group)
  }

  /// Returns the query for the values of a compartment, and for its own items.
  func values(of compartment: Data) -> KeychainQuery { query(compartment, .values) }

  /// Returns the queries for all items of a compartment.
  func all(of compartment: Data) -> [KeychainQuery] {
    Part.allCases.map { query(compartment, $0) }
  }

  private func query(_ compartment: Data, _ part: Part) -> KeychainQuery {
    KeychainQuery(
      .genericPassword, [.service: .text(service(of: compartment, part))], group: group)
  }

  /// Deletes all items of a compartment. Call this method in a transaction.
  func delete(_ compartment: Data) throws {
    for query in all(of: compartment) { try keychain.delete(matching: query) }
  }
}
