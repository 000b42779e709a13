@_spi(Tools) import AtRestCrypto
import Foundation

/// The class keys for files of another store, whose backup was restored into this one. They open the
/// files of that store, and wrap nothing.
///
/// Each key is wrapped under the key of the same class of this store, and is therefore usable at the
/// same times.
struct FormerKeySet: Equatable {
  struct Entry: Equatable {
    /// The identifier of the class key in the store that it belongs to.
    var id: UInt64
    var wrapped: Data
  }

  /// The store that the keys belong to.
  var store: StoreIdentity
  /// The number of the set in that store.
  var number: UInt32
  /// The number of the set of this store whose class keys wrap the entries.
  var wrappingSet: UInt32
  var entries: [KeyClass: Entry]

  init(
    store: StoreIdentity, number: UInt32, wrappingSet: UInt32, entries: [KeyClass: Entry] = [:]
  ) {
    self.store = store
    self.number = number
    self.wrappingSet = wrappingSet
    self.entries = entries
  }

  /// Returns true if the keys of a backup are the same.
  ///
  /// The keys themselves are compared: whoever made a backup chose the identifiers in it, and keys
  /// that take the place of others would lose the files of these.
  func isSame(as set: FileKeySet, wrappedUnder keys: ClassKeys) -> Bool {
    guard store == set.store, number == set.number, entries.count == set.keys.count else {
      return false
    }
    return set.keys.allSatisfy { keyClass, other in
      guard entries[keyClass]?.id == other.id, let wrapping = keys[wrappingSet, keyClass],
        let mine = try? key(keyClass, wrappedUnder: wrapping)
      else { return false }
      return mine.bytes.isEqual(to: other.key.bytes)
    }
  }

  /// Wraps the keys of a backup under the present class keys of a store.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if a class key is not in memory.
  init(_ set: FileKeySet, wrappedUnder keys: ClassKeys, _ location: String) throws {
    self.init(store: set.store, number: set.number, wrappingSet: keys.present)
    for (keyClass, former) in set.keys {
      guard let key = keys[keyClass] else {
        throw AtRestError(
          .locked, "The store in \(location) was locked meanwhile.",
          remedy: "Unlock it with the passcode and try again.")
      }
      entries[keyClass] = Entry(
        id: former.id, wrapped: try wrappingKey(keyClass, key).wrap(former.key.bytes))
    }
  }

  /// Unwraps the key of a class.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the set has no such key, or it was modified.
  func key(_ keyClass: KeyClass, wrappedUnder key: SecretBox) throws -> SecretBox {
    let name = "Class key \(keyClass.name) of the former store \(store)"
    guard let entry = entries[keyClass] else { throw AtRestError.damaged("\(name) is missing.") }
    return SecretBox(try wrappingKey(keyClass, key).unwrap(entry.wrapped, name: name))
  }

  private func wrappingKey(_ keyClass: KeyClass, _ key: SecretBox) throws -> WrappingKey {
    var context = ByteWriter(capacity: 21)
    context.fixed(store.bytes)
    context.integer(number)
    context.integer(keyClass.rawValue)
    return try WrappingKey(key.bytes.derive(.formerClassWrap, context: context.data))
  }
}

extension Purpose {
  static let formerClassWrap = Purpose("atrest.former-class-wrap.v1")
}
