import AtRestAuditModel
import AtRestAuditRules
import AtRestContainers
import AtRestFormats
import Foundation

/// An audit of what an app left behind: its data container, an archive of the container, or a
/// backup.
///
///     let audit = try ContainerAudit(name: "Bank", ContainerSource("Data/Application/Bank"))
///     let report = try audit.run()
///
/// The audit alters nothing and runs nothing.
public struct ContainerAudit: Sendable {
  /// The name of the container, with which each path in the report begins.
  public let name: String
  public var settings = Settings()
  /// The canaries: text that the tester typed into the app.
  public var canaries: [Canary] = []
  public var limits = WalkLimits.standard
  /// The keychain items of the app. Their values are tried as keys of encrypted databases.
  public var keychain: [KeychainItem] = []
  /// The protection classes of files, for containers that do not record them.
  public var listing: ProtectionListing?

  private let source: ContainerSource
  /// The keys that must not be shown in paths.
  private var keys = KeysInPaths([])

  /// Prepares the audit of a container under a name that reports show.
  public init(name: String, _ source: ContainerSource) {
    self.name = name
    self.source = source
  }

  /// Opens the container and assesses its contents. Blocks until the audit is done.
  ///
  /// - Throws: `FormatError` if the files cannot be listed. The report lists parts that cannot be
  ///   opened.
  public func run() throws -> AuditReport {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try ContainerScan(source, canaries: canaries, limits: limits, keychain: keychain)
      .run()
    var audit = self
    audit.keys = KeysInPaths(result.opened.map(\.key.bytes))
    var report = audit.report(of: result)
    let seconds = (clock.now - start).components
    report.statistics.seconds = Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
    return report
  }

  private func report(of result: ContainerScan.Result) -> AuditReport {
    let walk = result.summary
    let guards = Dictionary(
      walk.files.map { ($0.locator.path, protection(of: $0)) }, uniquingKeysWith: { old, _ in old })
    var report = AuditReport(tree: SourceTree(name: name, files: [:]))
    let findings =
      result.discoveries.map { finding($0, guards[$0.locator.path] ?? Protection()) }
      + walk.files.filter(\.isSnapshot).map(snapshot)
      + result.opened.flatMap { opened in
        ([opened.key] + opened.key.others).map {
          key($0, of: opened, guards[$0.locator.path] ?? Protection())
        }
      }
    report.findings = findings.compactMap { finding in
      settings.severity(of: finding).map { finding.with(severity: $0) }
    }
    report.skipped = walk.problems.map { Skip(path: path($0.locator), reason: $0.reason) }
    report.note(walk.furtherProblems, "parts could not be opened", of: name)
    report.note(result.furtherDiscoveries, "values were found", of: name)
    var summary = summary(walk)
    summary.canaries = canaries(in: result.discoveries)
    report.containers = [summary]
    report.statistics.files = walk.files.count
    report.statistics.otherFiles = walk.files.count
    report.sort()
    return report
  }

  // MARK: Findings

  private func finding(_ found: Discovery, _ protection: Protection) -> Finding {
    let rule = found.rule
    return Finding(
      rule: rule, severity: severity(found, rule, protection.name), location: place(found.locator),
      message: found.message, anchor: "\(found.locator) \(found.what)",
      exhibit: Exhibit(
        locator: found.locator.steps.map(\.description), excerpt: found.excerpt,
        isDeleted: found.state == .deleted, protectionClass: protection.name,
        isExcludedFromBackups: protection.isExcludedFromBackups, recorded: found.recorded,
        column: found.locator.column, slot: found.locator.slot))
  }

  /// The finding of a key that opens a database of the container.
  ///
  /// - Parameter key: The value, in one of its places.
  private func key(
    _ key: KeyCandidate, of opened: OpenedDatabase, _ protection: Protection
  ) -> Finding {
    let item = key.keychainItem
    let place =
      item.map {
        "an item of the keychain" + ($0.accessibility.map { " (\($0.name))" } ?? "")
      } ?? (key.isDeleted ? "the clear, in data that was deleted" : "the clear")
    let name = key.name.flatMap { $0.isEmpty ? nil : ", under “\(Display.cut($0, 200))”" } ?? ""
    let location = self.place(key.locator)
    return Finding(
      rule: .containerKey,
      severity: item == nil
        ? Self.severity(Rulebook.severity(of: .containerKey), protection.name) : .note,
      location: location,
      message:
        "The \(opened.isPassphrase ? "passphrase" : "key") of the encrypted \(opened.kind.rawValue) "
        + "\(Display.cut(opened.database.description, 200)) (\(opened.format)) is stored in \(place)"
        + "\(name). It opens the \(opened.kind.rawValue), which was searched.",
      anchor: "\(key.locator) opens \(opened.database)",
      exhibit: Exhibit(
        locator: key.locator.steps.map(\.description), isDeleted: key.isDeleted,
        protectionClass: protection.name, isExcludedFromBackups: protection.isExcludedFromBackups,
        column: key.locator.column,
        slot: item.map { .keychainItem(service: $0.service, account: $0.account) }
          ?? key.locator.slot), secrets: [Finding.Secret(key.bytes, at: location)])
  }

  private func snapshot(_ file: FileReport) -> Finding {
    let size = file.pictureSize.map { " (\(file.type.noun), \($0.width) × \($0.height) pixels)" }
    return Finding(
      rule: .containerSnapshot, severity: Rulebook.severity(of: .containerSnapshot),
      location: place(file.locator),
      message: "The system keeps an image of the app's screen\(size ?? "").",
      anchor: file.locator.description,
      exhibit: Exhibit(
        locator: file.locator.steps.map(\.description),
        protectionClass: protection(of: file).name,
        isExcludedFromBackups: file.isExcludedFromBackups))
  }

  /// Returns the severity of a discovery. It is at most medium for a file with complete protection,
  /// which is readable only while the device is unlocked, and for a digest, whose value can still
  /// be guessed.
  private func severity(
    _ found: Discovery, _ rule: RuleID, _ protectionClass: String?
  ) -> Severity {
    var severity = Rulebook.severity(of: rule)
    if case .secret(let detection) = found.subject, detection.confidence == .possible {
      severity = min(severity, .low)
    }
    if found.isDigest { severity = min(severity, .medium) }
    return Self.severity(severity, protectionClass)
  }

  private static func severity(_ severity: Severity, _ protectionClass: String?) -> Severity {
    protectionClass == "NSFileProtectionComplete" ? min(severity, .medium) : severity
  }

  private func place(_ locator: Locator) -> Location {
    // A line within an archive or a cell is not a line of the file.
    let line = if case .line(let line)? = locator.steps.first { line } else { 1 }
    let start = Position(line: line, column: 1)
    return Location(path: "\(name)/\(keys.masked(locator.path))", start: start, end: start)
  }

  /// The way in which iOS guards a file.
  private struct Protection {
    /// The class of data protection, or nil if nothing names it.
    var name: String?
    var isExcludedFromBackups = false
  }

  private func protection(of file: FileReport) -> Protection {
    Protection(
      name: file.protectionClass ?? listing?.classes[file.locator.path],
      isExcludedFromBackups: file.isExcludedFromBackups)
  }

  private func path(_ locator: Locator) -> String { "\(name)/\(keys.masked("\(locator)"))" }

  // MARK: Summary

  /// Returns where each canary was found, whatever the settings say about the findings.
  private func canaries(in discoveries: [Discovery]) -> [CanaryResult] {
    var places: [Canary: CanaryResult] = [:]
    for found in discoveries {
      guard case .canary(let canary, let encodings) = found.subject else { continue }
      places[canary, default: CanaryResult(name: canary.name)].add(
        .init(
          path: "\(name)/\(keys.masked(found.locator.path))",
          column: found.locator.column.map { $0.naming(canaries) }, encodings: encodings,
          isDeleted: found.state == .deleted))
    }
    return canaries.map { places[$0] ?? CanaryResult(name: $0.name) }
  }

  private func summary(_ walk: WalkSummary) -> ContainerSummary {
    var summary = ContainerSummary(name: name)
    summary.values = walk.values
    let owners = ContainerOwners(walk.files)
    for file in walk.files {
      let path = path(file.locator)
      summary.files.append(
        .init(
          path: path, type: file.type.noun, size: file.size, verdict: file.verdict ?? .unknown,
          protectionClass: protection(of: file).name, isOpened: file.isOpened,
          tries: file.tries, modified: file.modified, owner: owners.owner(of: file.locator.path),
          isExcludedFromBackups: file.isExcludedFromBackups))
      // Files in an archive are counted with the archive.
      if file.locator.steps.isEmpty { summary.bytes += file.size }
      guard file.isSnapshot else { continue }
      let mediaType: String? =
        switch file.type {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        default: nil
        }
      summary.snapshots.append(
        .init(path: path, image: mediaType == nil ? nil : file.picture, mediaType: mediaType))
    }
    return summary
  }
}

extension String {
  /// Returns the text with each canary in it replaced by its name, for keys that contain canaries.
  fileprivate func naming(_ canaries: [Canary]) -> String {
    canaries.reduce(self) { text, canary in
      text.contains(canary.value)
        ? text.replacingOccurrences(of: canary.value, with: "‹\(canary.name)›") : text
    }
  }
}
