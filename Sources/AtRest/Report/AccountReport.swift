import AtRestKeybag
import AtRestKeychain
import Foundation

/// A report of what a vault keeps about the user of an account, why, and until when, for an
/// application's privacy screen.
///
/// ```swift
/// let report = try await account.report()
/// print(report.page(.text))
/// try Data(report.page(.html, texts: german).utf8).write(to: url)
/// ```
///
/// A report describes values and contains none of them. It has the names of records and of the
/// recipients of pseudonyms, so treat it as the user's own data.
public struct AccountReport: Codable, Sendable, Hashable {
  /// A value, or a key that belongs to the account.
  public struct Entry: Codable, Sendable, Hashable {
    /// The name of the record, of the key, or of the recipient of pseudonyms. Empty for an entry that
    /// exists only once.
    public let name: String
    /// The name of the kind of data (``DataKind/name``), or `account`, `passphrase-check`,
    /// `composite-salt`, `pseudonym-key`, `stamp-key`, `stamp` or `envelope-keys` for what the vault
    /// itself keeps.
    public let kind: String
    /// The sensitivity of a value, or nil for what the vault itself keeps.
    public let sensitivity: Sensitivity?
    /// The key needed in addition to the device's keys.
    public let key: StorageDecision.Key
    /// True if the entry may be restored on another device.
    public let mayMigrate: Bool
    /// The size of a value in bytes, for a database the present size of its files, or nil for what the vault itself keeps.
    public let size: UInt64?
    /// The time at which the entry was stored.
    public let stored: Date
    /// The limits of the storage period. The first one that is reached ends it. Without a limit, the
    /// entry is kept until the account logs out.
    public let limits: [Limit]
  }

  /// A limit of the storage period.
  public enum Limit: Codable, Sendable, Hashable {
    /// The value is kept until this time.
    case date(Date)
    /// The value is kept until this time, and longer each time it is used.
    case unused(Date)
    /// The value can be read this many times.
    case reads(Int)
  }

  /// The name of the account, or nil for the device's own compartment.
  public let account: String?
  /// The time at which the report was made.
  public let made: Date
  /// The entries, with the most sensitive first.
  public let entries: [Entry]
  /// The protections that the device lacks, as in ``Vault/risks``.
  public let risks: [StoreRisk]
}

extension Compartment {
  /// Returns what the vault keeps about the user of the account, why, and until when.
  ///
  /// If a key of the account requires that the user is asked, the user is asked.
  ///
  /// - Throws: An error if anything cannot be read, because a report without it would suggest that
  ///   it does not exist: ``AtRestError/Code/locked``, ``AtRestError/Code/damaged``; also
  ///   ``AtRestError/Code/loggedOut`` and ``AtRestError/Code/system``.
  public func report() throws -> AccountReport {
    try checkLoggedIn()
    var entries: [AccountReport.Entry] = []
    let reason = try forEachValue { name, stored in
      guard try !stored.isSpent && !stored.hasExpired(by: vault.clock) else { return }
      entries.append(try AccountReport.Entry(name, stored, size: size(of: stored)))
    }
    if let reason { throw reason }
    for query in vault.items.all(of: id) {
      let items = try keychain.items(matching: query)
      if let withheld = items.withheld.first { throw withheld.reason }
      entries += items.compactMap { item in
        AccountReport.Entry(
          item, isPseudonym: item.attributes.service == vault.items.service(of: id, .pseudonyms))
      }
    }
    // A logout meanwhile would have left the report with a part.
    try checkLoggedIn()
    entries.sort { one, other in
      let order = (one.sensitivity?.rawValue ?? -1, other.sensitivity?.rawValue ?? -1)
      return order.0 == order.1
        ? (one.kind, one.name) < (other.kind, other.name) : order.0 > order.1
    }
    return AccountReport(
      account: account, made: keychain.now, entries: entries, risks: vault.risks)
  }
}

extension AccountReport.Entry {
  fileprivate init(_ name: String, _ value: StoredValue, size: UInt64) {
    let head = value.head
    self.name = name
    kind = head.kind
    sensitivity = head.sensitivity
    key = head.key
    mayMigrate = head.accessibility.keyClass.isMigratable
    self.size = size
    stored = head.stored
    var limits: [AccountReport.Limit] = []
    if let expires = head.expires { limits.append(.date(expires)) }
    if head.idle > 0 { limits.append(.unused(value.lastUse.addingTimeInterval(Double(head.idle)))) }
    if value.usesLeft != StoredValue.unlimited { limits.append(.reads(Int(value.usesLeft))) }
    self.limits = limits
  }

  /// Creates the entry of an item that holds no value, or returns nil for the item of a value.
  fileprivate init?(_ item: KeychainItem, isPseudonym: Bool) {
    guard let account = item.attributes.account else { return nil }
    let found = isPseudonym ? ("pseudonym-key", account) : Self.own(account)
    guard let found else { return nil }
    (kind, name) = found
    sensitivity = nil
    key = .device
    mayMigrate = item.protection.accessibility.keyClass.isMigratable
    size = nil
    stored = item.attributes.creationDate ?? Date(timeIntervalSince1970: 0)
    limits = []
  }

  /// Returns the kind and the name that an item's account stands for.
  private static func own(_ account: String) -> (kind: String, name: String)? {
    switch account {
    case "account": return ("account", "")
    case "passphrase": return ("passphrase-check", "")
    case "salt": return ("composite-salt", "")
    default: break
    }
    for kind in ["stamp-key", "envelope-keys"] where account.hasPrefix("\(kind).") {
      return (kind, String(account.dropFirst(kind.count + 1)))
    }
    guard account.hasPrefix("stamp.") else {
      return account.hasPrefix(Compartment.prefix) ? nil : ("other", account)
    }
    // `stamp.`, the length of the key's name, the key's name, and the name of the value.
    let parts = account.dropFirst("stamp.".count).split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let length = Int(parts[0]), (0..<parts[1].utf8.count).contains(length)
    else { return ("other", account) }
    return ("stamp", String(decoding: parts[1].utf8.dropFirst(length + 1), as: UTF8.self))
  }
}
