@_spi(Tools) import AtRestCrypto
import Foundation

/// An item that a backup does not contain, or that a restore could not bring back.
public struct LeftOutItem: Sendable, Hashable {
  /// Why an item was left out. Later versions may add reasons.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The reason's name.
    public let rawValue: String
    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The item never leaves its device, and the backup was restored on another one.
    public static let otherDevice = Reason(rawValue: "other-device")
    /// Items for when a passcode is set are in no backup.
    public static let passcodeSet = Reason(rawValue: "when-passcode-set")
    /// The key is in the device's hardware, and cannot leave it.
    public static let hardwareKey = Reason(rawValue: "hardware-key")
    /// The backup of a simulated device contains no items with access control, as on iOS.
    public static let accessControl = Reason(rawValue: "access-control")

    fileprivate static let stored = [otherDevice, passcodeSet, hardwareKey, accessControl]

    /// The reason in words.
    public var words: String {
      switch self {
      case .otherDevice: "this item never leaves its device"
      case .passcodeSet: "items for when a passcode is set are in no backup"
      case .hardwareKey: "the key cannot leave its device's hardware"
      case .accessControl: "the item has access control"
      default: rawValue
      }
    }
  }

  /// The attributes that identify the item.
  public let primaryKey: PrimaryKey
  /// The item's accessibility.
  public let accessibility: Accessibility
  /// Why the item was left out.
  public let reason: Reason

  /// The item, its accessibility and the reason in one line. It contains no secrets.
  public var words: String {
    "\(primaryKey.itemClass.rawValue) \(primaryKey.words) (\(accessibility.name)): \(reason.words)"
  }
}

/// The form of an item in a backup: `docs/Formats.md`, *Backup*.
extension LeftOutItem {
  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 128)
    writer.integer(primaryKey.itemClass.number)
    writer.integer(accessibility.keyClass.rawValue)
    writer.integer(UInt8(Reason.stored.firstIndex(of: reason) ?? 0))
    writer.integer(UInt8(primaryKey.isSynchronizable ? 1 : 0))
    writer.counted(utf8: primaryKey.group ?? "")
    primaryKey.attributes.encode(into: &writer)
    return writer.bytes
  }

  init(_ encoded: borrowing SecretBytes) throws {
    self = try encoded.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The name of an item in the backup")
      let itemClass = try ItemClass(number: reader.integer())
      let accessibility = try Accessibility(keyClass: reader.integer())
      let reason = Int(try reader.integer(UInt8.self))
      guard Reason.stored.indices.contains(reason) else {
        throw AtRestError.damaged("An item of the backup was left out for an unknown reason.")
      }
      let isSynchronizable = try reader.integer(UInt8.self) == 1
      let group = String(decoding: try reader.counted(limit: 1 << 16), as: UTF8.self)
      let key = PrimaryKey(
        unchecked: itemClass, try ItemAttributes(from: &reader), group: group,
        synchronizable: isSynchronizable)
      try reader.finish()
      return LeftOutItem(
        primaryKey: key, accessibility: accessibility, reason: Reason.stored[reason])
    }
  }
}
