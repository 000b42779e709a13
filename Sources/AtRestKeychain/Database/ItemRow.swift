@_spi(Tools) import AtRestCrypto
import Foundation

/// A row of the item table. Its contents are valid only if they match the index: see
/// ``ItemFinder``. The format is in `docs/Formats.md`, *Item*.
struct ItemRow {
  typealias Flags = ItemInfo.Flags

  var id: Int64
  /// The keyed hash of the primary key, 16 bytes.
  var hash: ItemHash
  /// The number of the transaction that wrote the row.
  var generation: UInt64
  /// The keyed hash of the access group.
  var scope: Int64
  var info: ItemInfo
  /// The box of the item's ``ItemTerms``, which opens even while the item is locked.
  var terms: Data
  var wrappedKey: Data
  var metadata: Data
  var secret: Data

  static let columns = "id, hash, generation, scope, info, terms, key, metadata, secret"

  /// Creates a row, which gets its number when it is sealed.
  init(hash: ItemHash, scope: Int64, info: ItemInfo) {
    id = 0
    self.hash = hash
    generation = 0
    self.scope = scope
    self.info = info
    terms = Data()
    wrappedKey = Data()
    metadata = Data()
    secret = Data()
  }

  init(_ statement: PreparedStatement) {
    id = statement.integer(0)
    hash = ItemHash(statement.bytes(1))
    generation = UInt64(bitPattern: statement.integer(2))
    scope = statement.integer(3)
    info = ItemInfo(rawValue: statement.integer(4))
    terms = statement.data(5)
    wrappedKey = statement.data(6)
    metadata = statement.data(7)
    secret = statement.data(8)
  }

  /// The entry that the index must have for this row.
  var entry: IndexEntry {
    IndexEntry(
      key: hash.key, id: id, generation: generation, scope: scope, info: info)
  }

  enum Part: UInt8 {
    case metadata = 1
    case secret = 2
    case terms = 3
  }

  /// Returns the context that a box authenticates: part, row, transaction, group, classes, flags
  /// and primary key.
  static func context(_ part: Part, _ entry: IndexEntry, hash: ItemHash) -> [UInt8] {
    var writer = ByteWriter(capacity: 64)
    writer.fixed(prefix)
    writer.integer(part.rawValue)
    writer.integer(entry.id)
    writer.integer(entry.generation)
    writer.integer(entry.scope)
    writer.integer(entry.info.rawValue)
    hash.write(to: &writer)
    return writer.bytes
  }

  private static let prefix = Array("atrest.item.v1".utf8)

  func context(_ part: Part) -> [UInt8] { Self.context(part, entry, hash: hash) }
}
