import AtRestCrypto
import Crypto
import Foundation

/// A row of the item table. Its contents count only if the index agrees: see
/// ``KeychainDatabase/Session``. The format is in `docs/Formats.md`, *Item*.
struct ItemRow {
  typealias Flags = ItemInfo.Flags

  var id: Int64
  /// The keyed hash of the primary key, 16 bytes.
  var hash: ItemHash
  /// The transaction that wrote the row.
  var generation: UInt64
  /// The keyed hash of the access group.
  var scope: Int64
  var info: ItemInfo
  /// The terms that the index has for the item. They are stored here so that they can be removed
  /// while the item is locked.
  var terms: [UInt64]
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
    terms = []
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
    let terms = statement.bytes(5)
    self.terms = (0..<terms.count / 8).map {
      UInt64(bigEndian: terms.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
    }
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
  }

  /// Returns the context of a box: part, row, transaction, group, classes, flags and primary key.
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

/// The contents of a row's metadata box.
struct ItemMetadata {
  var group: String
  var isSynchronizable: Bool
  var attributes: ItemAttributes
  var accessControl: AccessControl?
  /// The enrolment when the item was saved, if the access control depends on it.
  var enrolment: Data?
  /// The KDF and salt of the application password, if there is one.
  var applicationPassword: (kdf: PasswordKDF, salt: Data)?

  private static let version: UInt8 = 1

  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 192)
    writer.integer(Self.version)
    writer.integer(UInt8(isSynchronizable ? 1 : 0))
    writer.counted(utf8: group)
    writer.integer(UInt8(accessControl == nil ? 0 : 1))
    accessControl?.encode(into: &writer)
    writer.integer(UInt8(enrolment == nil ? 0 : 1))
    if let enrolment { writer.counted(enrolment) }
    writer.integer(UInt8(applicationPassword == nil ? 0 : 1))
    if let applicationPassword {
      writer.fixed(applicationPassword.kdf.encoded)
      writer.fixed(applicationPassword.salt)
    }
    attributes.encode(into: &writer)
    return writer.bytes
  }

  init(
    group: String, isSynchronizable: Bool, attributes: ItemAttributes, accessControl: AccessControl?
  ) {
    self.group = group
    self.isSynchronizable = isSynchronizable
    self.attributes = attributes
    self.accessControl = accessControl
  }

  init(decoding data: Data) throws {
    self = try data.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "An item's metadata")
      let version = try reader.integer(UInt8.self)
      guard version == Self.version else {
        throw AtRestError(
          .unsupportedVersion,
          "An item has version \(version); the latest known version is \(Self.version).",
          remedy: "Use a later version of AtRest.")
      }
      let isSynchronizable = try reader.integer(UInt8.self) == 1
      let group = String(decoding: try reader.counted(limit: 1 << 16), as: UTF8.self)
      let accessControl =
        try reader.integer(UInt8.self) == 1 ? try AccessControl(from: &reader) : nil
      let enrolment =
        try reader.integer(UInt8.self) == 1 ? Data(try reader.counted(limit: 1 << 16)) : nil
      var applicationPassword: (kdf: PasswordKDF, salt: Data)?
      if try reader.integer(UInt8.self) == 1 {
        applicationPassword = (
          try PasswordKDF.decoded(from: Data(try reader.fixed(PasswordKDF.encodedCount))),
          Data(try reader.fixed(16))
        )
      }
      var metadata = ItemMetadata(
        group: group, isSynchronizable: isSynchronizable,
        attributes: try ItemAttributes(from: &reader), accessControl: accessControl)
      metadata.enrolment = enrolment
      metadata.applicationPassword = applicationPassword
      try reader.finish()
      return metadata
    }
  }

  /// Returns the primary key from the metadata.
  func primaryKey(_ itemClass: ItemClass) -> PrimaryKey {
    var key = ItemAttributes()
    for attribute in itemClass.primaryKeyAttributes { key[attribute] = attributes[attribute] }
    return PrimaryKey(
      unchecked: itemClass, key, group: group, synchronizable: isSynchronizable)
  }
}
