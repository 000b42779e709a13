import Foundation

/// An item of a keychain from any source: a backup, a dump, or a simulator's database.
public struct KeychainItem: Hashable, Sendable {
  public let itemClass: ItemClass
  public var account: String?
  /// The service, or the server of an internet password.
  public var service: String?
  public var label: String?
  /// The access group.
  public var group: String?
  /// The condition under which the item can be read, or nil if the source does not state it
  /// reliably.
  public var accessibility: Accessibility?
  /// The flags of the item's access control by their names in Apple's API, separated by spaces,
  /// such as `kSecAccessControlBiometryAny`. Nil if the item has no access control.
  public var accessControl: String?
  /// True if the item is synchronised to other devices through iCloud, or nil if this is unknown.
  public var isSynchronizable: Bool?
  public var created: Date?
  public var modified: Date?
  public var value: Value
  public let locator: Locator

  /// The class of an item, by the name of its table.
  public enum ItemClass: String, CaseIterable, Sendable {
    case genericPassword = "genp"
    case internetPassword = "inet"
    case certificate = "cert"
    case key = "keys"
    case identity = "idnt"
  }

  public enum Value: Hashable, Sendable {
    case bytes([UInt8])
    /// The value exists and was not opened, for this reason.
    case sealed(String)
    case none
  }

  /// Creates an item without attributes.
  public init(
    _ itemClass: ItemClass, value: Value, locator: Locator, accessibility: Accessibility? = nil
  ) {
    self.itemClass = itemClass
    self.value = value
    self.locator = locator
    self.accessibility = accessibility
  }

  /// The condition under which an item can be read, by the code that keychains store (`pdmn`).
  public enum Accessibility: String, CaseIterable, Sendable {
    case whenUnlocked = "ak"
    case afterFirstUnlock = "ck"
    case always = "dk"
    case whenUnlockedThisDeviceOnly = "aku"
    case afterFirstUnlockThisDeviceOnly = "cku"
    case alwaysThisDeviceOnly = "dku"
    case whenPasscodeSetThisDeviceOnly = "akpu"

    /// The name of the constant in Apple's API, such as `kSecAttrAccessibleWhenUnlocked`.
    public var name: String {
      switch self {
      case .whenUnlocked: "kSecAttrAccessibleWhenUnlocked"
      case .afterFirstUnlock: "kSecAttrAccessibleAfterFirstUnlock"
      case .always: "kSecAttrAccessibleAlways"
      case .whenUnlockedThisDeviceOnly: "kSecAttrAccessibleWhenUnlockedThisDeviceOnly"
      case .afterFirstUnlockThisDeviceOnly: "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly"
      case .alwaysThisDeviceOnly: "kSecAttrAccessibleAlwaysThisDeviceOnly"
      case .whenPasscodeSetThisDeviceOnly: "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly"
      }
    }

    /// True if the item can never be opened on another device.
    public var isThisDeviceOnly: Bool {
      switch self {
      case .whenUnlocked, .afterFirstUnlock, .always: false
      default: true
      }
    }

    /// Creates a condition from its code or its name, with or without the prefix
    /// `kSecAttrAccessible`.
    public init?(named name: String) {
      let found = Self.allCases.first {
        name == $0.rawValue || name == $0.name || name == $0.name.dropFirst(18)
      }
      guard let found else { return nil }
      self = found
    }

    /// Creates a condition from the class number of a keybag, 6 to 12.
    init?(keyClass: UInt32) {
      let classes: [Accessibility] = [
        .whenUnlocked, .afterFirstUnlock, .always, .whenUnlockedThisDeviceOnly,
        .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly, .whenPasscodeSetThisDeviceOnly,
      ]
      guard let index = Int(exactly: keyClass).map({ $0 - 6 }), classes.indices.contains(index)
      else { return nil }
      self = classes[index]
    }
  }
}
