import AtRestKeychain

/// Where a value goes, under which class and key, for how long, and why.
///
/// ```swift
/// print(vault.explain(.card))
/// ```
public struct Decision: Sendable, Hashable, CustomStringConvertible {
  /// Where a value lies.
  public enum Store: String, Sendable, Codable {
    /// An item of the keychain.
    case keychain
    /// A protected file, whose key is in an item of the keychain.
    case file
  }

  /// What has to be known beside the keys of the device.
  public enum Key: String, Sendable, Codable {
    /// Nothing: the device's class keys alone.
    case device
    /// A key made from several constituents, anew for each use.
    case composite
    /// A key under a passphrase that only the user holds.
    case passphrase

    var words: String {
      switch self {
      case .device: "the device's class key"
      case .composite: "a composite key, beside the device's class key"
      case .passphrase: "the user's passphrase, beside the device's class key"
      }
    }
  }

  /// What was said of the value.
  public let classification: Classification
  /// How sensitive that makes it.
  public let sensitivity: Sensitivity
  /// Where it lies.
  public let store: Store
  /// When it is readable.
  public let accessibility: Accessibility
  /// What has to be known to read it.
  public let key: Key
  /// How long it is kept.
  public let retention: Retention
  /// Why, one sentence each.
  public let reasons: [String]

  /// Whether it may be restored on another device.
  public var mayMigrate: Bool { accessibility.keyClass.isMigratable }

  /// The decision in words, several lines.
  public var description: String {
    ([
      "\(sensitivity): \(classification.words)",
      "store: \(store.rawValue)",
      "class: \(accessibility.name)",
      "key: \(key.words)",
      "migration: \(mayMigrate ? "with an encrypted backup" : "never leaves this device")",
      "kept: \(retention)",
    ] + reasons.map { "- \($0)" }).joined(separator: "\n")
  }
}
