import AtRestCrypto
import AtRestKeybag

/// When an item is readable, and whether it may leave the device: Apple's seven values.
public enum Accessibility: String, Sendable, CaseIterable, Codable {
  /// While unlocked. The right choice for most.
  case whenUnlocked = "ak"
  /// From the first unlock to the end of the process: for work in the background.
  case afterFirstUnlock = "ck"
  /// Always. The device key alone protects it.
  case always = "dk"
  /// While unlocked, and never on another device.
  case whenUnlockedThisDeviceOnly = "aku"
  /// From the first unlock on, and never on another device.
  case afterFirstUnlockThisDeviceOnly = "cku"
  /// Always, and never on another device.
  case alwaysThisDeviceOnly = "dku"
  /// While unlocked, never on another device, in no backup; deleted when the passcode is removed.
  case whenPasscodeSetThisDeviceOnly = "akpu"

  /// The class key that protects it.
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
      throw AtRestError.damaged("An item has a protection class \(number) that is not known.")
    }
    self = found
  }

  private static let byKeyClass = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.keyClass.rawValue, $0) })

  /// The value's name on the command line, such as `when-unlocked`.
  public var name: String { keyClass.name }

  /// The value with a name, or nil.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}
