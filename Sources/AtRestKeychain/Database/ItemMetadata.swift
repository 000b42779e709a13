@_spi(Tools) import AtRestCrypto
import Foundation

/// The contents of a row's metadata box.
struct ItemMetadata {
  var group: String
  var isSynchronizable: Bool
  /// True if the secret is the stored form of a key of the device's hardware.
  var isHardwareKey: Bool
  var attributes: ItemAttributes
  var accessControl: AccessControl?
  /// The biometric enrolment at the time when the item was saved, if the access control depends on
  /// it.
  var enrolment: Data?
  /// The KDF and salt of the application password, if there is one.
  var applicationPassword: (kdf: PasswordKDF, salt: Data)?

  /// The version of metadata with custom attributes. Metadata without them keeps the first version, which earlier
  /// programs read too.
  private static let version: UInt8 = 2

  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 192)
    writer.integer(attributes.hasCustom ? Self.version : 1)
    writer.integer(UInt8((isSynchronizable ? 1 : 0) | (isHardwareKey ? 2 : 0)))
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
    group: String, isSynchronizable: Bool, isHardwareKey: Bool, attributes: ItemAttributes,
    accessControl: AccessControl?
  ) {
    self.group = group
    self.isSynchronizable = isSynchronizable
    self.isHardwareKey = isHardwareKey
    self.attributes = attributes
    self.accessControl = accessControl
  }

  init(decoding data: Data) throws {
    self = try data.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "An item's metadata")
      let version = try reader.integer(UInt8.self)
      guard (1...Self.version).contains(version) else {
        throw AtRestError.unsupported("An item", version: version, known: Self.version)
      }
      let flags = try reader.integer(UInt8.self)
      guard flags <= 3 else { throw AtRestError.damaged("An item has unknown flags.") }
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
        group: group, isSynchronizable: flags & 1 != 0, isHardwareKey: flags & 2 != 0,
        attributes: try ItemAttributes(from: &reader), accessControl: accessControl)
      metadata.enrolment = enrolment
      metadata.applicationPassword = applicationPassword
      try reader.finish()
      return metadata
    }
  }

  /// Returns the primary key of the item.
  func primaryKey(_ itemClass: ItemClass) -> PrimaryKey {
    var key = ItemAttributes()
    for attribute in itemClass.primaryKeyAttributes { key[attribute] = attributes[attribute] }
    return PrimaryKey(
      unchecked: itemClass, key, group: group, synchronizable: isSynchronizable)
  }
}
