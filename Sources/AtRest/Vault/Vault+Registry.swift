import AtRestCrypto
import AtRestKeychain
import Foundation

/// The vault's registry.
extension Vault {
  func registry() throws -> Registry {
    do {
      guard let registry = try items.registry() else {
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
      let registry = items.recoveredRegistry(of: marker.installation)
      guard registry.gap == nil else { return registry }
      try items.save(registry)
      Keychain.logger.warning(
        "The registry of a vault was damaged and has been rebuilt from its items",
        metadata: ["vault": "\(options.name)"])
      return registry
    }
  }
}
