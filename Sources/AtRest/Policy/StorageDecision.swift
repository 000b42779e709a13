import AtRestKeychain

/// The policy's decision for a value: the store, class and key, the retention, and the reasons.
///
/// ```swift
/// print(vault.explain(.card))
/// ```
public struct StorageDecision: Sendable, Hashable, CustomStringConvertible {
  /// The store that holds a value.
  public enum Store: String, Sendable, Codable {
    /// A keychain item.
    case keychain
    /// A protected file whose key is a keychain item.
    case file
    /// An encrypted database whose key is a keychain item: see
    /// `Compartment.database(in:configuration:)`.
    case database
  }

  /// The key needed in addition to the keys of the device.
  public enum Key: String, Sendable, Codable {
    /// None: the device's class keys are enough.
    case device
    /// A key derived from several constituents each time it is used.
    case composite
    /// A key derived from a passphrase that only the user knows.
    case passphrase

    var words: String {
      switch self {
      case .device: "the device's class key"
      case .composite: "a composite key, in addition to the device's class key"
      case .passphrase: "the user's passphrase, in addition to the device's class key"
      }
    }
  }

  /// The classification on which the decision is based.
  public let classification: Classification
  /// The sensitivity that follows from the classification.
  public let sensitivity: Sensitivity
  /// The store that holds the value. If `largestItem` is not nil, a larger value is a file.
  public let store: Store
  /// The size in bytes above which the value is a file, if the decision was made without a size and
  /// depends on it. Otherwise nil.
  package let largestItem: Int?
  /// The accessibility, which determines when the value is readable.
  public let accessibility: Accessibility
  /// The key needed in addition to the keys of the device.
  public let key: Key
  /// The retention of the value.
  public let retention: Retention
  /// The reasons for the decision, one sentence each.
  public let reasons: [String]

  /// A Boolean value that is true if the value may be restored on another device.
  public var mayMigrate: Bool { accessibility.keyClass.isMigratable }

  /// The decision in several lines of text.
  public var description: String {
    ([
      "\(sensitivity): \(classification.words)",
      "store: \(store.rawValue)"
        + (largestItem.map { " up to \($0) bytes, \(Store.file.rawValue) above" } ?? ""),
      "class: \(accessibility.name)",
      "key: \(key.words)",
      "migration: \(mayMigrate ? "with an encrypted backup" : "never leaves this device")",
      "kept: \(retention)",
    ] + reasons.map { "- \($0)" }).joined(separator: "\n")
  }
}
