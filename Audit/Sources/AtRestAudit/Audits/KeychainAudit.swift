import AtRestAuditModel
import AtRestAuditReports
import AtRestContainers
import AtRestFormats
import Foundation

/// Assesses who can read the items of a keychain, from a dump, a simulator or a backup.
public struct KeychainAudit: Sendable {
  /// The name of the keychain, with which each path in the report begins.
  public let name: String
  public var settings = Settings()
  /// The canaries: text that the tester typed into the app.
  public var canaries: [Canary] = []

  private let items: [KeychainItem]
  private let skipped: [Skip]

  /// Prepares the audit of the items of a keychain.
  public init(name: String, items: [KeychainItem], skipped: [Skip] = []) {
    self.name = name
    self.items = items
    self.skipped = skipped
  }

  public func run() -> AuditReport {
    var report = AuditReport(tree: SourceTree(name: name, files: [:]))
    let matcher = CanaryMatcher(canaries)
    report.findings = items.flatMap { item in
      [reach(of: item)].compactMap(\.self) + typed(in: item, matcher)
    }.compactMap { finding in
      settings.severity(of: finding).map { finding.with(severity: $0) }
    }
    report.skipped = skipped
    report.statistics.files = 1
    report.statistics.otherFiles = 1
    var summary = ContainerSummary(name: name, values: items.count)
    summary.sealed = items.count { if case .sealed = $0.value { true } else { false } }
    summary.canaries = canaries(matcher)
    report.containers = [summary]
    report.sort()
    return report
  }

  /// Returns where each canary was found, including items that only this device can read.
  private func canaries(_ matcher: CanaryMatcher) -> [CanaryResult] {
    var results = canaries.map { CanaryResult(name: $0.name) }
    for item in items {
      guard case .bytes(let value) = item.value else { continue }
      for match in matcher.matches(in: value) {
        guard let index = canaries.firstIndex(of: match.canary) else { continue }
        results[index].add(
          .init(
            path: "\(name)/\(item.locator.path)", column: item.locator.steps.map(\.description),
            encodings: match.encodings, isGuarded: reach(of: item) == nil))
      }
    }
    return results
  }

  // MARK: Assessment

  /// Returns a finding if the item can be read more widely than necessary.
  private func reach(of item: KeychainItem) -> Finding? {
    let faults: [(severity: Severity, text: String)] = [
      item.accessibility.flatMap { accessibility in
        switch accessibility {
        case .always, .alwaysThisDeviceOnly:
          (
            .high,
            "is readable on a locked device, even before its first unlock (\(accessibility.name))"
          )
        case .whenUnlocked, .afterFirstUnlock:
          (.medium, "moves to other devices with backups (\(accessibility.name))")
        default: nil
        }
      },
      item.isSynchronizable == true
        ? (.medium, "is synchronised to other devices through iCloud") : nil,
    ].compactMap(\.self)
    guard let worst = faults.map(\.severity).max() else { return nil }
    // Certificates are not secret.
    if item.itemClass == .certificate { return nil }
    return finding(
      .containerKeychainItem, worst,
      "\(subject(of: item)) \(faults.map(\.text).joined(separator: ", and "))", item, nil)
  }

  /// Returns the findings of canaries. A canary is reported only in an item that can be read more
  /// widely than necessary.
  private func typed(in item: KeychainItem, _ matcher: CanaryMatcher) -> [Finding] {
    guard case .bytes(let value) = item.value, reach(of: item) != nil else { return [] }
    let matches = matcher.matches(in: value)
    return matches.map { match in
      finding(
        .containerCanary, .medium,
        "the canary “\(match.canary.name)” is the value of \(subject(of: item)), which other people "
          + "can read",
        item, Excerpt(around: match.range, of: value, secrets: matches.map(\.range)))
    }
  }

  private func subject(of item: KeychainItem) -> String {
    let name = [item.service, item.account ?? item.label].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: ", ")
    guard !name.isEmpty else { return "the item of \(item.itemClass.rawValue)" }
    return "the item “\(Display.cut(name, 200))”"
  }

  private func finding(
    _ rule: RuleID, _ severity: Severity, _ message: String, _ item: KeychainItem,
    _ excerpt: Excerpt?
  ) -> Finding {
    let start = Position(line: 1, column: 1)
    return Finding(
      rule: rule, severity: severity,
      location: Location(path: "\(name)/\(item.locator.path)", start: start, end: start),
      message: message.prefix(1).uppercased() + message.dropFirst() + ".",
      anchor: "\(item.locator) \(item.service ?? "") \(item.account ?? "")",
      exhibit: Exhibit(
        locator: item.locator.steps.map(\.description) + [item.group].compactMap(\.self),
        excerpt: excerpt, slot: .keychainItem(service: item.service, account: item.account)))
  }
}
