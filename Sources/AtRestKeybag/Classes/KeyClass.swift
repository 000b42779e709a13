/// The class keys of a keybag, numbered as iOS numbers them.
///
/// A file or an item names its class; the class decides when its key is in memory, and where it may
/// be restored.
public enum KeyClass: UInt8, Sendable, CaseIterable, Codable {
  /// Class A: files readable while unlocked.
  case complete = 1
  /// Class B: files that can be made while locked, and stay open over a lock (an X25519 pair).
  case completeUnlessOpen = 2
  /// Class C: files readable from the first unlock on.
  case completeUntilFirstAuthentication = 3
  /// Class D: files that always open on this device.
  case noProtection = 4
  /// Items readable while unlocked.
  case whenUnlocked = 6
  /// Items readable from the first unlock on.
  case afterFirstUnlock = 7
  /// Items that always open.
  case always = 8
  /// Items readable while unlocked, on this device only.
  case whenUnlockedThisDeviceOnly = 9
  /// Items readable from the first unlock on, on this device only.
  case afterFirstUnlockThisDeviceOnly = 10
  /// Items that always open, on this device only.
  case alwaysThisDeviceOnly = 11
  /// Items readable while unlocked, on this device only, gone with the passcode.
  case whenPasscodeSetThisDeviceOnly = 12

  /// When the class key is in memory.
  public enum Availability: Sendable {
    /// From the opening of the store.
    case always
    /// From the first unlock on.
    case afterFirstUnlock
    /// From an unlock to the next lock.
    case whenUnlocked
  }

  /// When the class key is in memory.
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

  /// True if what the class protects may be restored from a backup onto another device.
  public var isMigratable: Bool {
    switch self {
    case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
      .whenPasscodeSetThisDeviceOnly:
      false
    default: true
    }
  }

  /// The class's name in messages.
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
