/// A protection class, which has a key in the keybag, with the number that iOS gives the class.
///
/// Each file or item names its class. The class determines when the class key is in memory and on
/// which devices the data may be restored.
public enum KeyClass: UInt8, Sendable, CaseIterable, Codable {
  /// Class A: files that are readable while the store is unlocked.
  case complete = 1
  /// Class B: files that can be created while the store is locked, and stay open when the store is
  /// locked (the class key is an X25519 private key).
  case completeUnlessOpen = 2
  /// Class C: files that are readable from the first unlock on.
  case completeUntilFirstAuthentication = 3
  /// Class D: files that are always readable on this device.
  case noProtection = 4
  /// Items that are readable while the store is unlocked.
  case whenUnlocked = 6
  /// Items that are readable from the first unlock on.
  case afterFirstUnlock = 7
  /// Items that are always readable.
  case always = 8
  /// Items that are readable while the store is unlocked, on this device only.
  case whenUnlockedThisDeviceOnly = 9
  /// Items that are readable from the first unlock on, on this device only.
  case afterFirstUnlockThisDeviceOnly = 10
  /// Items that are always readable, on this device only.
  case alwaysThisDeviceOnly = 11
  /// Items that are readable while the store is unlocked, on this device only, and are deleted with
  /// the passcode.
  case whenPasscodeSetThisDeviceOnly = 12

  /// The time during which a class key is in memory.
  public enum Availability: Sendable {
    /// The key is in memory from the time the store is opened.
    case always
    /// The key is in memory from the first unlock on.
    case afterFirstUnlock
    /// The key is in memory from an unlock to the next lock.
    case whenUnlocked
  }

  /// The time during which the class key is in memory.
  public var availability: Availability {
    switch self {
    case .complete, .completeUnlessOpen, .whenUnlocked, .whenUnlockedThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      .whenUnlocked
    case .completeUntilFirstAuthentication, .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly:
      .afterFirstUnlock
    case .noProtection, .always, .alwaysThisDeviceOnly: .always
    }
  }

  /// True if data of the class may be restored from a backup onto another device.
  package var isMigratable: Bool {
    switch self {
    case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      false
    default: true
    }
  }

  /// True for the classes of files, false for those of items.
  package var isForFiles: Bool { rawValue <= Self.noProtection.rawValue }

  /// The name of the class in messages.
  public var name: String {
    switch self {
    case .complete: "complete"
    case .completeUnlessOpen: "complete-unless-open"
    case .completeUntilFirstAuthentication: "complete-until-first-authentication"
    case .noProtection: "none"
    case .whenUnlocked: "when-unlocked"
    case .afterFirstUnlock: "after-first-unlock"
    case .always: "always"
    case .whenUnlockedThisDeviceOnly: "when-unlocked-this-device-only"
    case .afterFirstUnlockThisDeviceOnly: "after-first-unlock-this-device-only"
    case .alwaysThisDeviceOnly: "always-this-device-only"
    case .whenPasscodeSetThisDeviceOnly: "when-passcode-set-this-device-only"
    }
  }
}
