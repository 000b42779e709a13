import AtRestCrypto
import AtRestKeychain
import Foundation

/// The vault's items in the keychain. See `docs/Formats.md`, *The Vault*.
extension Vault {
  static func registryKey(_ keychain: Keychain, _ options: Options) -> PrimaryKey {
    .genericPassword(
      service: "atrest.vault.\(options.name)", account: "registry",
      group: keychain.identity.defaultGroup)
  }

  var registryKey: PrimaryKey { Self.registryKey(keychain, options) }

  static func clockKey(_ keychain: Keychain, _ options: Options) -> PrimaryKey {
    .genericPassword(
      service: "atrest.vault.\(options.name)", account: "clock",
      group: keychain.identity.defaultGroup)
  }

  var clockKey: PrimaryKey { Self.clockKey(keychain, options) }

  /// The items of a compartment that have a service of their own.
  enum ServicePart: String, CaseIterable {
    /// Values, and the vault's own items. All of them can be read without asking the user.
    case values = ""
    /// Keys of stamped values and envelopes.
    case keys = ".keys"
    /// Keys of pseudonyms, which can be destroyed together while the store is locked.
    case pseudonyms = ".pseudonyms"
  }

  static func service(
    of compartment: Data, _ part: ServicePart, _ options: Options
  ) -> String { "atrest.vault.\(options.name).\(compartment.hexadecimal)\(part.rawValue)" }

  func service(of compartment: Data, _ part: ServicePart = .values) -> String {
    Self.service(of: compartment, part, options)
  }

  static func items(
    of compartment: Data, _ keychain: Keychain, _ options: Options
  ) -> KeychainQuery {
    KeychainQuery(
      .genericPassword, [.service: .text(service(of: compartment, .values, options))],
      group: keychain.identity.defaultGroup)
  }

  func items(of compartment: Data) -> KeychainQuery {
    Self.items(of: compartment, keychain, options)
  }

  private static func allItems(
    of compartment: Data, _ keychain: Keychain, _ options: Options
  ) -> [KeychainQuery] {
    ServicePart.allCases.map { part in
      KeychainQuery(
        .genericPassword, [.service: .text(service(of: compartment, part, options))],
        group: keychain.identity.defaultGroup)
    }
  }

  /// Returns the queries for all items of a compartment.
  func allItems(of compartment: Data) -> [KeychainQuery] {
    Self.allItems(of: compartment, keychain, options)
  }

  /// Deletes all items of a compartment. Call this method in a transaction.
  static func deleteItems(of compartment: Data, _ keychain: Keychain, _ options: Options) throws {
    for query in allItems(of: compartment, keychain, options) {
      try keychain.delete(matching: query)
    }
  }

  func deleteItems(of compartment: Data) throws {
    try Self.deleteItems(of: compartment, keychain, options)
  }

  func itemKey(_ account: String, of compartment: Data) -> PrimaryKey {
    .genericPassword(
      service: Self.service(of: compartment, .values, options), account: account,
      group: keychain.identity.defaultGroup)
  }

  static func registry(_ keychain: Keychain, _ key: PrimaryKey) throws -> Registry? {
    do {
      return try keychain.secret(for: key).withUnsafeBytes { try Registry(decoding: $0) }
    } catch AtRestError.Code.notFound {
      return nil
    }
  }

  static func save(
    _ registry: Registry, _ keychain: Keychain, _ key: PrimaryKey
  ) throws {
    // The registry is readable before the first unlock, and migrates to another device if values
    // may.
    // atrest:ignore keychain-accessible-always names of files and no secret
    try keychain.set(key, secret: registry.encoded, protection: .accessible(.always))
  }

  func registry() throws -> Registry {
    do {
      guard let registry = try Self.registry(keychain, registryKey) else {
        throw AtRestError(
          .wiped, "The vault \"\(options.name)\" was wiped.",
          remedy: "Open it again. It is then as if newly installed.")
      }
      return registry
    } catch AtRestError.Code.damaged {
      return try recoverRegistry()
    }
  }

  /// Rebuilds a damaged registry. Only compartments whose account cannot be determined stay closed.
  private func recoverRegistry() throws -> Registry {
    guard let marker = try files.marker() else {
      throw AtRestError.damaged(
        "The registry of the vault \"\(options.name)\" is damaged, and \(folder.path) has no marker.",
        remedy: "Use the vault's former folder, or restore the store from a backup.")
    }
    return try keychain.transaction {
      let registry = Registry(
        recovering: marker.installation, keychain, service: "atrest.vault.\(options.name).",
        registry: registryKey)
      guard registry.gap == nil else { return registry }
      try save(registry)
      Keychain.logger.warning(
        "The registry of a vault was damaged and has been rebuilt from its items",
        metadata: ["vault": "\(options.name)"])
      return registry
    }
  }

  func save(_ registry: Registry) throws {
    try Self.save(registry, keychain, registryKey)
  }
}
