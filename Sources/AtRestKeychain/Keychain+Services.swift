import AtRestCrypto
import AtRestKeybag
import Foundation

/// The operations of Keychain Services that the typed calls do not offer.
extension Keychain {
  /// Adds an item. The caller must erase its value, if there is one.
  package func add(
    _ key: PrimaryKey, value: UnsafeRawBufferPointer?, attributes: ItemAttributes,
    protection: ItemProtection, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try add(key, bytes: value, attributes: attributes, protection: protection, context: context)
  }

  /// Returns an item that the caller has just added, without its value. The user is not asked.
  package func addedItem(_ reference: PersistentReference) throws -> KeychainItem {
    try database.read { session in
      guard let row = try locate(reference, session) else { throw notFound("referred to") }
      return try item(row, openMetadata(row))
    }
  }

  /// Returns the item with a persistent reference, and with its secret if that is requested.
  package func item(
    for reference: PersistentReference, secrets: Bool, context: AuthenticationContext?
  ) throws -> KeychainItem {
    try authenticating(context) { decision in
      try database.read { session in
        guard let row = try locate(reference, session) else { throw notFound("referred to") }
        return try item(row, openMetadata(row), secrets: secrets, decision)
      }
    }
  }

  /// Updates the item with a persistent reference.
  package func update(
    _ reference: PersistentReference, _ change: ItemChange, secret: SecretBox?,
    context: AuthenticationContext?
  ) throws {
    try Self.withBytes(of: secret) { bytes in
      try authenticating(context) { decision in
        try database.write { session in
          guard let row = try locate(reference, session) else { throw notFound("referred to") }
          try update(row, change, bytes, session, decision)
        }
      }
    }
  }

  /// Updates all items that a query matches, or none of them.
  package func update(
    matching query: KeychainQuery, _ change: ItemChange, secret: SecretBox?,
    context: AuthenticationContext?
  ) throws {
    try Self.withBytes(of: secret) { _ = try updateAll(query, change, $0, context) }
  }

  private static func withBytes(
    of secret: SecretBox?, _ body: (UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    guard let secret else { return try body(nil) }
    try secret.bytes.withUnsafeBytes { try body($0) }
  }
}

/// The cause of a refusal that no authentication can change.
package struct ExportRefusal: Error {}
