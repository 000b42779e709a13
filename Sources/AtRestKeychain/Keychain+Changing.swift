import AtRestCrypto
import Foundation

/// Updating and deleting items.
extension Keychain {
  // MARK: Updating

  /// Updates the secret of an item.
  ///
  /// - Throws: The errors of `secret(for:context:)`; ``AtRestError/Code/invalidArgument`` for a
  ///   secret of more than 16 MiB.
  public func update(
    _ key: PrimaryKey, secret: borrowing SecretBytes, context: AuthenticationContext? = nil
  ) throws {
    try update(key, ItemChange(), secret: secret, context: context)
  }

  /// Updates the attributes, protection, group or primary key of an item in one step. At no moment
  /// is the item missing or present twice.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/duplicate`` if the changed primary
  ///   key belongs to another item; otherwise the errors of `secret(for:context:)` and
  ///   `add(_:secret:attributes:protection:context:)`.
  public func update(
    _ key: PrimaryKey, _ change: ItemChange, context: AuthenticationContext? = nil
  ) throws {
    _ = try backend.update(.key(key), change, value: nil, context: context)
  }

  /// Updates an item and its secret in one step.
  ///
  /// - Throws: The errors of `update(_:_:context:)`.
  public func update(
    _ key: PrimaryKey, _ change: ItemChange, secret: borrowing SecretBytes,
    context: AuthenticationContext? = nil
  ) throws {
    try secret.withUnsafeBytes {
      _ = try backend.update(.key(key), change, value: $0, context: context)
    }
  }

  /// Updates all items that a query matches, or none of them.
  ///
  /// - Returns: The number of updated items.
  /// - Throws: ``AtRestError/Code/notFound`` if nothing matches; the error of the first item that
  ///   cannot be read or updated.
  @discardableResult
  public func update(
    matching query: KeychainQuery, _ change: ItemChange, context: AuthenticationContext? = nil
  ) throws -> Int {
    try backend.update(.query(query), change, value: nil, context: context)
  }

  /// Updates all items that a query matches and their secrets, or none of them.
  ///
  /// - Returns: The number of updated items.
  /// - Throws: The errors of `update(matching:_:context:)`.
  @discardableResult
  public func update(
    matching query: KeychainQuery, _ change: ItemChange = ItemChange(),
    secret: borrowing SecretBytes, context: AuthenticationContext? = nil
  ) throws -> Int {
    try secret.withUnsafeBytes {
      try backend.update(.query(query), change, value: $0, context: context)
    }
  }

  /// Moves an item to another primary key. The item keeps its secret, its other attributes and its
  /// persistent reference.
  ///
  /// - Throws: The errors of `update(_:_:context:)`.
  public func move(
    _ key: PrimaryKey, to new: PrimaryKey, context: AuthenticationContext? = nil
  ) throws {
    guard key.itemClass == new.itemClass else {
      throw AtRestError.invalid(
        "An item cannot move from class \(key.itemClass.rawValue) to "
          + "\(new.itemClass.rawValue).",
        remedy: "Add a new item and delete the old one.")
    }
    try update(
      key,
      ItemChange(
        attributes: new.attributes,
        removing: Set(key.itemClass.primaryKeyAttributes.filter { new.attributes[$0] == nil }),
        group: new.group, synchronizable: new.isSynchronizable),
      context: context)
  }

  // MARK: Deleting

  /// Deletes an item. The user is not asked, and the store may be locked.
  ///
  /// A damaged item is deleted too. The store's owner must specify the group to delete an item that
  /// is locked or damaged.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/missingEntitlement``;
  ///   ``AtRestError/Code/system``.
  public func delete(_ key: PrimaryKey) throws {
    _ = try backend.delete(.key(key))
  }

  /// Deletes the item with a persistent reference.
  ///
  /// - Throws: The errors of `delete(_:)`.
  public func delete(_ reference: PersistentReference) throws {
    _ = try backend.delete(.reference(reference))
  }

  /// Deletes all items that a query matches, or as many as its limit permits, the oldest first.
  /// Locked items are deleted too. Damaged items are deleted if the index or their own terms show
  /// that the query matches them.
  ///
  /// - Returns: The number of deleted items.
  /// - Throws: ``AtRestError/Code/locked`` or ``AtRestError/Code/damaged`` if it cannot be
  ///   determined whether an item matches. No item is deleted in that case.
  @discardableResult
  public func delete(matching query: KeychainQuery) throws -> Int {
    try backend.delete(.query(query))
  }
}
