import AtRestCrypto
import Crypto
import Foundation

/// A row of the item table: what of it is open, and the boxes. `docs/Formats.md`, *Item*.
struct ItemRow {
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let accessControl = Flags(rawValue: 1)
    static let secret = Flags(rawValue: 2)
    static let synchronizable = Flags(rawValue: 8)
  }

  var id: Int64
  /// The keyed hash of the primary key, 16 bytes.
  var hash: Data
  var generation: UInt64
  /// The keyed hash of the access group.
  var scope: Int64
  var itemClass: ItemClass
  var accessibility: Accessibility
  var flags: Flags
  var wrappedKey: Data
  var metadata: Data
  var secret: Data

  static let columns = "id, hash, generation, scope, info, key, metadata, secret"

  /// Class, protection class and flags in one number.
  var info: Int64 {
    Int64(itemClass.number) | Int64(accessibility.keyClass.rawValue) << 8
      | Int64(flags.rawValue) << 16
  }

  static func parts(ofInfo info: Int64) throws -> (ItemClass, Accessibility, Flags) {
    guard (0..<1 << 24).contains(info) else {
      throw AtRestError.damaged("An item's class, protection class and flags are not known.")
    }
    return (
      try ItemClass(number: UInt8(info & 0xff)),
      try Accessibility(keyClass: UInt8(info >> 8 & 0xff)),
      Flags(rawValue: UInt8(info >> 16 & 0xff))
    )
  }

  init(
    id: Int64, hash: Data, generation: UInt64, scope: Int64, itemClass: ItemClass,
    accessibility: Accessibility, flags: Flags
  ) {
    self.id = id
    self.hash = hash
    self.generation = generation
    self.scope = scope
    self.itemClass = itemClass
    self.accessibility = accessibility
    self.flags = flags
    wrappedKey = Data()
    metadata = Data()
    secret = Data()
  }

  init(_ statement: PreparedStatement) throws {
    id = statement.integer(0)
    hash = statement.data(1)
    generation = UInt64(bitPattern: statement.integer(2))
    scope = statement.integer(3)
    (itemClass, accessibility, flags) = try Self.parts(ofInfo: statement.integer(4))
    wrappedKey = statement.data(5)
    metadata = statement.data(6)
    secret = statement.data(7)
  }

  enum Part: UInt8 {
    case metadata = 1
    case secret = 2
  }

  /// What a box is bound to: its part, row, generation, classes, flags and primary key.
  static func context(
    _ part: Part, id: Int64, generation: UInt64, scope: Int64, info: Int64,
    hash: Data
  ) -> [UInt8] {
    var writer = ByteWriter(capacity: 64)
    writer.fixed(prefix)
    writer.integer(part.rawValue)
    writer.integer(id)
    writer.integer(generation)
    writer.integer(scope)
    writer.integer(info)
    writer.fixed(hash)
    return writer.bytes
  }

  private static let prefix = Array("atrest.item.v1".utf8)

  func context(_ part: Part) -> [UInt8] {
    Self.context(
      part, id: id, generation: generation, scope: scope, info: info, hash: hash)
  }

  /// The hash as the generation tree names it.
  var treeHash: UInt64 { Self.treeHash(hash) }

  static func treeHash(_ hash: Data) -> UInt64 {
    // A row that was tampered with can have fewer bytes.
    hash.withUnsafeBytes { bytes in
      bytes.count < 8 ? 0 : UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    }
  }
}

/// What a row's metadata box holds.
struct ItemMetadata {
  var group: String
  var isSynchronizable: Bool
  var attributes: Attributes
  var accessControl: AccessControl?
  /// Who was enrolled when the item was saved, where the access control asks.
  var enrolment: Data?
  /// How the application password becomes a key, where there is one.
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
    group: String, isSynchronizable: Bool, attributes: Attributes, accessControl: AccessControl?
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
          .unsupportedVersion, "An item has version \(version), and \(Self.version) is known.",
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
        attributes: try Attributes(from: &reader), accessControl: accessControl)
      metadata.enrolment = enrolment
      metadata.applicationPassword = applicationPassword
      try reader.finish()
      return metadata
    }
  }

  /// The primary key that the metadata make up.
  func primaryKey(_ itemClass: ItemClass) -> PrimaryKey {
    var key = Attributes()
    for attribute in itemClass.primaryKeyAttributes { key[attribute] = attributes[attribute] }
    return PrimaryKey(
      unchecked: itemClass, key, group: group, synchronizable: isSynchronizable)
  }
}
