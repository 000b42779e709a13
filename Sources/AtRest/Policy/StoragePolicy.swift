import AtRestCrypto
import AtRestKeychain
import Foundation

/// The rules that decide the store, class, key and retention of each value in a vault.
///
/// ```swift
/// var policy = StoragePolicy.standard
/// policy[.consumerGrade].accessibility = .afterFirstUnlockThisDeviceOnly
/// print(policy.table(hasCompositeKey: true))
/// ```
public struct StoragePolicy: Sendable, Hashable {
  /// The key that a value requires in addition to the device's keys.
  public enum KeyRequirement: String, Sendable, Codable {
    /// None.
    case device
    /// A composite key, or the user's passphrase if the vault has no recipe for a composite key.
    case beyondDevice
    /// The user's passphrase.
    case passphrase
  }

  /// The rule for all values of one sensitivity.
  public struct Rule: Sendable, Hashable {
    /// The accessibility, which determines when values are readable and whether they migrate.
    public var accessibility: Accessibility
    /// The key that values require in addition to the device's keys.
    public var key: KeyRequirement
    /// The longest retention, or nil to allow values to be kept until logout.
    public var longest: Duration?
    /// True if the record or the kind must declare a retention.
    public var statesRetention: Bool

    /// Creates a rule.
    public init(
      accessibility: Accessibility = .whenUnlockedThisDeviceOnly, key: KeyRequirement,
      longest: Duration? = nil, statesRetention: Bool = false
    ) {
      self.accessibility = accessibility
      self.key = key
      self.longest = longest
      self.statesRetention = statesRetention
    }
  }

  /// The policy's name.
  public var name: String
  private var consumerGrade: Rule
  private var sensitive: Rule
  private var highlySensitive: Rule
  /// The size in bytes of the largest value that is stored in the keychain.
  public var keychainLimit: Int
  /// The smallest number of people that makes a value about them highly sensitive, whatever its
  /// kind.
  public var manyPeople: Int

  /// Creates a policy.
  public init(
    name: String, consumerGrade: Rule, sensitive: Rule, highlySensitive: Rule,
    keychainLimit: Int = 16_384, manyPeople: Int = 1_000
  ) {
    self.name = name
    self.consumerGrade = consumerGrade
    self.sensitive = sensitive
    self.highlySensitive = highlySensitive
    self.keychainLimit = keychainLimit
    self.manyPeople = manyPeople
  }

  /// The rule for a sensitivity.
  public subscript(_ sensitivity: Sensitivity) -> Rule {
    get {
      switch sensitivity {
      case .consumerGrade: consumerGrade
      case .sensitive: sensitive
      case .highlySensitive: highlySensitive
      }
    }
    set {
      switch sensitivity {
      case .consumerGrade: consumerGrade = newValue
      case .sensitive: sensitive = newValue
      case .highlySensitive: highlySensitive = newValue
      }
    }
  }

  /// Values are readable while unlocked, on this device only. Sensitive data requires a key beyond
  /// the device's own, and highly sensitive data a passphrase that only the user knows.
  public static let standard = StoragePolicy(
    name: "standard",
    consumerGrade: Rule(key: .device),
    sensitive: Rule(key: .beyondDevice),
    highlySensitive: Rule(key: .passphrase))

  /// Stricter rules than ``standard``. All data requires that a passcode is set. Sensitive and
  /// highly sensitive data requires the passphrase and a declared retention; sensitive data is kept
  /// for at most a year, highly sensitive data for at most 90 days. ``keychainLimit`` is 4,096
  /// bytes, and ``manyPeople`` is 100.
  public static let strict = StoragePolicy(
    name: "strict",
    consumerGrade: Rule(accessibility: .whenPasscodeSetThisDeviceOnly, key: .device),
    sensitive: Rule(
      accessibility: .whenPasscodeSetThisDeviceOnly, key: .passphrase,
      longest: .seconds(365 * 86_400), statesRetention: true),
    highlySensitive: Rule(
      accessibility: .whenPasscodeSetThisDeviceOnly, key: .passphrase,
      longest: .seconds(90 * 86_400), statesRetention: true),
    keychainLimit: 4_096, manyPeople: 100)

  // MARK: Deciding

  /// Returns the sensitivity of a value.
  public func sensitivity(of classification: Classification) -> Sensitivity {
    assess(classification).sensitivity
  }

  private func assess(
    _ classification: Classification
  ) -> (sensitivity: Sensitivity, reasons: [String]) {
    let kind = classification.kind
    var sensitivity = kind.sensitivity
    var reasons = ["\(kind.withArticle) is \(sensitivity)."]
    func raise(_ other: Sensitivity, _ reason: String) {
      guard other > sensitivity else { return }
      sensitivity = other
      reasons.append("\(reason), which makes it \(other).")
    }
    if classification.subject == .others || classification.people > 1 {
      raise(.sensitive, "It puts people at risk who do not own the device")
    }
    if classification.people >= manyPeople {
      raise(.highlySensitive, "It is about \(classification.people) people")
    }
    if let atLeast = classification.atLeast { raise(atLeast, "The record says so") }
    return (sensitivity, reasons)
  }

  /// Returns the decision for a value.
  ///
  /// - Parameters:
  ///   - size: The size of the value in bytes.
  ///   - retention: The retention of the record, or nil for the retention of its kind.
  ///   - hasCompositeKey: True if there is a recipe for a composite key.
  /// - Throws: `AtRestError.Code.neverStored` for passwords and similar kinds;
  ///   ``AtRestError/Code/invalidArgument`` if the value is too large for its kind, if it is about
  ///   fewer than one person, or if the rule requires a retention and neither the record nor the
  ///   kind declares one.
  public func decide(
    _ classification: Classification, size: Int, retention: Retention? = nil,
    hasCompositeKey: Bool = false
  ) throws -> StorageDecision {
    try decide(
      classification, size: size, retention: retention, hasCompositeKey: hasCompositeKey,
      isRetentionKnown: false)
  }

  /// - Parameters:
  ///   - size: The size of the value, or nil if it is not known.
  ///   - isRetentionKnown: True to skip the check that a retention is declared.
  ///   - isDatabase: True if the value is a database, whatever its size.
  func decide(
    _ classification: Classification, size: Int?, retention: Retention?, hasCompositeKey: Bool,
    isRetentionKnown: Bool, isDatabase: Bool = false
  ) throws -> StorageDecision {
    let kind = classification.kind
    if let alternative = kind.alternative {
      throw AtRestError(
        .neverStored, "\(kind.withArticle) is never stored, not even encrypted.",
        remedy: alternative)
    }
    guard classification.people >= 1 else {
      throw AtRestError.invalid(
        "A value cannot be about \(classification.people) people.", remedy: "Pass 1 or more.")
    }
    var (sensitivity, reasons) = assess(classification)
    let rule = self[sensitivity]

    let store: StorageDecision.Store
    switch kind.place {
    case .file: store = isDatabase ? .database : .file
    case .bySize where isDatabase: store = .database
    case .bySize: store = size ?? 0 <= keychainLimit ? .keychain : .file
    case .keychain:
      if let size, size > keychainLimit {
        throw AtRestError.invalid(
          "\(kind.withArticle) of \(size) bytes is larger than the \(keychainLimit) that the keychain takes.",
          remedy: "Store large data separately from the secret, as a document.")
      }
      store = .keychain
    }
    let dependsOnSize = kind.place == .bySize && !isDatabase && size == nil
    if dependsOnSize {
      reasons.append(
        "Its size matters: up to \(keychainLimit) bytes, it is an item of the keychain. Above, it is a "
          + "file, and its key an item.")
    } else if isDatabase {
      reasons.append("It is a database, so it is an encrypted file, and its key an item.")
    } else if kind.place == .bySize {
      reasons.append(
        store == .file
          ? "It has more than \(keychainLimit) bytes, so it is a file, and its key an item."
          : "It has at most \(keychainLimit) bytes, so it is an item of the keychain.")
    }

    let key: StorageDecision.Key
    switch rule.key {
    case .device: key = .device
    case .beyondDevice: key = hasCompositeKey ? .composite : .passphrase
    case .passphrase: key = .passphrase
    }
    switch key {
    case .device: reasons.append("The platform's protection is enough for the owner's own data.")
    case .composite:
      reasons.append("A passcode is often four digits, so a key beyond the device's own is needed.")
    case .passphrase:
      reasons.append("The key must not be on the device: only the user holds the passphrase.")
    }
    if !rule.accessibility.keyClass.isMigratable {
      reasons.append("On another device it would outlive the decision to trust this one.")
    }
    let wanted = retention ?? kind.retention
    guard wanted.isLimited || !rule.statesRetention || isRetentionKnown else {
      throw AtRestError.invalid(
        "The policy \(name) requires a retention for \(sensitivity) data.",
        remedy: "State it in the declaration of the record, such as keep: .days(30).")
    }
    let kept = keep(wanted, rule, &reasons)
    return StorageDecision(
      classification: classification, sensitivity: sensitivity, store: store,
      largestItem: dependsOnSize ? keychainLimit : nil,
      accessibility: rule.accessibility, key: key, retention: kept, reasons: reasons)
  }

  private func keep(
    _ retention: Retention, _ rule: Rule, _ reasons: inout [String]
  ) -> Retention {
    var kept = retention
    if let longest = rule.longest, retention.age.map({ $0 > longest }) ?? true {
      kept.age = longest
      reasons.append("The policy \(name) keeps it for \(Retention.words(longest)) at most.")
    }
    return kept
  }
}
