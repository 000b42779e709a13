import AtRestCrypto
import Foundation

/// An item that a query found.
public final class KeychainItem: Sendable {
  /// A reference that finds the item even after its attributes change.
  public let reference: PersistentReference
  /// The attributes that identify the item.
  public let primaryKey: PrimaryKey
  /// All attributes of the item, without its secret.
  public let attributes: ItemAttributes
  /// The protection of the item.
  public let protection: ItemProtection
  /// True if the item has a value.
  public let hasSecret: Bool
  /// True for a private key that is in the device's hardware: see
  /// `createHardwareKey(tag:label:protection:group:context:)`.
  public let isHardwareKey: Bool
  private let secret: SecretBox?

  /// The class of the item.
  public var itemClass: ItemClass { primaryKey.itemClass }
  /// The access group of the item.
  public var group: String { primaryKey.group ?? "" }

  init(
    reference: PersistentReference, primaryKey: PrimaryKey, attributes: ItemAttributes,
    protection: ItemProtection, hasSecret: Bool, isHardwareKey: Bool, secret: SecretBox?
  ) {
    self.reference = reference
    self.primaryKey = primaryKey
    self.attributes = attributes
    self.protection = protection
    self.hasSecret = hasSecret
    self.isHardwareKey = isHardwareKey
    self.secret = secret
  }

  /// Calls a closure with the secret's bytes. The closure must not keep the pointer.
  ///
  /// - Returns: The result of the closure, or nil if secrets were not requested or the item has no
  ///   secret.
  public func withSecret<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    try secret?.bytes.withUnsafeBytes(body)
  }
}
