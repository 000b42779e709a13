import AtRestCrypto
import AtRestKeybag

/// The time when an item is readable, and whether it may leave the device: Apple's seven values.
public enum Accessibility: String, Sendable, CaseIterable, Codable {
  /// Readable while the store is unlocked. The right choice for most items.
  case whenUnlocked = "ak"
  /// Readable from the first unlock to the end of the process, for work in the background.
  case afterFirstUnlock = "ck"
  /// Always readable. Only the device key protects the item.
  case always = "dk"
  /// Readable while the store is unlocked, and never on another device.
  case whenUnlockedThisDeviceOnly = "aku"
  /// Readable from the first unlock on, and never on another device.
  case afterFirstUnlockThisDeviceOnly = "cku"
  /// Always readable, and never on another device.
  case alwaysThisDeviceOnly = "dku"
  /// Readable while the store is unlocked, never on another device, and in no backup. Deleted when
  /// the passcode is removed.
  case whenPasscodeSetThisDeviceOnly = "akpu"

  /// The class key that protects items of this accessibility.
  public var keyClass: KeyClass {
    switch self {
    case .whenUnlocked: .whenUnlocked
    case .afterFirstUnlock: .afterFirstUnlock
    case .always: .always
    case .whenUnlockedThisDeviceOnly: .whenUnlockedThisDeviceOnly
    case .afterFirstUnlockThisDeviceOnly: .afterFirstUnlockThisDeviceOnly
    case .alwaysThisDeviceOnly: .alwaysThisDeviceOnly
    case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSetThisDeviceOnly
    }
  }

  init(keyClass number: UInt8) throws {
    guard let found = Self.byKeyClass[number] else {
      throw AtRestError.damaged("An item has an unknown protection class \(number).")
    }
    self = found
  }

  /// The value that is readable at the same times, and never on another device.
  var thisDeviceOnly: Accessibility {
    switch self {
    case .whenUnlocked: .whenUnlockedThisDeviceOnly
    case .afterFirstUnlock: .afterFirstUnlockThisDeviceOnly
    case .always: .alwaysThisDeviceOnly
    default: self
    }
  }

  private static let byKeyClass = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.keyClass.rawValue, $0) })

  /// The value's name on the command line, such as `when-unlocked`.
  public var name: String { keyClass.name }

  /// Creates the value with a name on the command line. The result is nil if no value has this
  /// name.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}
