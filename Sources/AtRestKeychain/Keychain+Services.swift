import AtRestCrypto
import AtRestKeybag
import Foundation

/// What Keychain Services ask for beyond the typed calls.
extension Keychain {
  /// Adds an item whose value, if any, is the caller's to erase.
  package func add(
    _ key: PrimaryKey, value: UnsafeRawBufferPointer?, attributes: Attributes,
    protection: Protection, context: AuthenticationContext?
  ) throws -> PersistentReference {
    try add(key, bytes: value, attributes: attributes, protection: protection, context: context)
  }

  /// An item that the caller added just now: nobody is asked, and no value comes with it.
  package func addedItem(_ reference: PersistentReference) throws -> Item {
    try database.read { session in
      guard let row = try locate(reference, session) else { throw notFound("referred to") }
      return try item(row, openMetadata(row))
    }
  }

  /// The item with a persistent reference, with its secret where that is asked for.
  package func item(
    for reference: PersistentReference, secrets: Bool, context: AuthenticationContext?
  ) throws -> Item {
    try authenticating(context) { decision in
      try database.read { session in
        guard let row = try locate(reference, session) else { throw notFound("referred to") }
        return try item(row, openMetadata(row), secrets: secrets, decision)
      }
    }
  }

  /// Changes the item with a persistent reference.
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

  /// Changes every item that a query matches, or none.
  package func update(
    matching query: Query, _ change: ItemChange, secret: SecretBox?,
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

/// The cause of a refusal that no authentication would change.
package struct ExportRefusal: Error {}
