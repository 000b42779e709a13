import AtRestCrypto
import AtRestKeybag

/// The owner of a library's own items: an account of a vault. When the account logs out, all items
/// of its service are deleted, and none may be created afterwards.
package struct ItemOwner: Sendable {
  /// The service of the owner's items.
  package let service: String
  private let group: String
  fileprivate let check: @Sendable () throws -> Void

  /// Creates an owner.
  ///
  /// - Parameter check: Throws if the owner no longer exists.
  package init(service: String, group: String, check: @escaping @Sendable () throws -> Void) {
    self.service = service
    self.group = group
    self.check = check
  }

  /// Returns the key of the item for a purpose and a name.
  package func key(_ purpose: String, _ name: String) -> PrimaryKey {
    .genericPassword(service: service, account: "\(purpose).\(name)", group: group)
  }
}

extension Keychain {
  /// Runs a closure that creates items, in one transaction in which the owner exists.
  @discardableResult
  package func creating<Result>(for owner: ItemOwner?, _ body: () throws -> Result) throws -> Result
  {
    guard let owner else { return try body() }
    return try transaction {
      try owner.check()
      return try body()
    }
  }

  /// Returns the secret of an owner's item, and creates the item if it does not exist.
  package func getOrCreate(
    _ key: PrimaryKey, for owner: ItemOwner?, attributes: ItemAttributes = [:],
    protection: ItemProtection, make: () throws -> SecretBytes
  ) throws -> SecretBytes {
    guard owner != nil else {
      return try getOrCreate(key, attributes: attributes, protection: protection, make: make)
    }
    do {
      return try secret(for: key)
    } catch AtRestError.Code.notFound {
      return try creating(for: owner) {
        SecretBox(
          try getOrCreate(key, attributes: attributes, protection: protection, make: make))
      }.bytes.duplicate()
    }
  }

  /// Returns the secret of an owner's item.
  ///
  /// - Throws: The owner's error in place of *not found* if the owner no longer exists.
  package func secret(for key: PrimaryKey, of owner: ItemOwner?) throws -> SecretBytes {
    do {
      return try secret(for: key)
    } catch let missing as AtRestError where missing.code == .notFound {
      try owner?.check()
      throw missing
    }
  }
}
