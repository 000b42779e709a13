@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// A reference that finds an item even after its attributes change, including its account and
/// service.
public struct PersistentReference: Hashable, Sendable, Codable {
  /// 25 bytes: the item's class, the store's identifier and the item's number. The reference is not
  /// secret and grants no permission.
  public let data: Data

  /// Creates a reference from its ``data``.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the bytes are not a reference.
  public init(data: Data) throws {
    guard data.count == 25, ItemClass.allCases.contains(where: { $0.number == data.first }) else {
      throw AtRestError.invalid(
        "These \(data.count) bytes are not a persistent reference.",
        remedy: "Use the bytes of an item's reference.")
    }
    self.data = data
  }

  init(classNumber: UInt8, store: Data, id: Int64) {
    var writer = ByteWriter(capacity: 25)
    writer.integer(classNumber)
    writer.fixed(store)
    writer.integer(id)
    data = writer.data
  }

  /// Returns the reference of the generic password with a number in a store.
  @_spi(Tools) public init(genericPassword number: UInt64, in store: StoreIdentity) {
    self.init(
      classNumber: ItemClass.genericPassword.number, store: store.bytes,
      id: Int64(bitPattern: number))
  }

  /// The number of the item in its store, which stays as long as the item exists.
  @_spi(Tools) public var number: UInt64 { data.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// The class of the item, or nil if the reference names no known class.
  package var itemClass: ItemClass? { data.first.flatMap { try? ItemClass(number: $0) } }

  /// Returns the number of the item's row, or nil if the reference belongs to another store.
  func id(in store: Data) -> Int64? {
    guard data.dropFirst().prefix(16) == store else { return nil }
    return data.suffix(8).reduce(0) { $0 << 8 | Int64($1) }
  }
}
