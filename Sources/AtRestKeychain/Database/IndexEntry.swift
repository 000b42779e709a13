import Foundation

/// The index's record of an item: the number of its row, and the data on which every decision about
/// the item is based.
struct IndexEntry: Equatable {
  /// The first eight bytes of the keyed hash of the primary key in its access group.
  var key: UInt64
  /// The row's number, which stays the same as long as the item exists.
  var id: Int64
  /// The number of the transaction that wrote the row.
  var generation: UInt64
  /// The keyed hash of the access group.
  var scope: Int64
  /// Class, protection class, flags and salt: see ``ItemInfo``.
  var info: ItemInfo

  static let width = 5

  init(key: UInt64, id: Int64, generation: UInt64, scope: Int64, info: ItemInfo) {
    self.key = key
    self.id = id
    self.generation = generation
    self.scope = scope
    self.info = info
  }

  /// Reads an entry from its first five words.
  init(_ words: UnsafeBufferPointer<UInt64>) {
    self.init(
      key: words[0], id: Int64(bitPattern: words[1]), generation: words[2],
      scope: Int64(bitPattern: words[3]), info: ItemInfo(rawValue: Int64(bitPattern: words[4])))
  }

  /// Returns the persistent reference of the item in a store.
  func reference(in store: Data) -> PersistentReference {
    PersistentReference(classNumber: info.classNumber, store: store, id: id)
  }

  var words: [UInt64] {
    [
      key, UInt64(bitPattern: id), generation, UInt64(bitPattern: scope),
      UInt64(bitPattern: info.rawValue),
    ]
  }
}
