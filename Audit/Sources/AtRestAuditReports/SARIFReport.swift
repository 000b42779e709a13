import AtRestAuditModel
@_spi(Tools) import AtRestCrypto
import AtRestFormats
import Foundation

/// The report as SARIF 2.1.0, with one result per location, within GitHub's limits for an upload.
public struct SARIFReport: Sendable {
  /// The maximum number of results that GitHub accepts in a run. A notification counts the rest.
  public static let resultLimit = 25_000
  /// The maximum number of steps in a trail.
  static let stepLimit = 10
  static let tagLimit = 20
  static let textLimit = 1024
  static let messageLimit = 2048
  /// The maximum number of notifications, so that an unreadable project does not fill the upload.
  static let notificationLimit = 1000
  /// The maximum size of the results in bytes. They compress to a tenth or less, and an upload may
  /// have 10 MB.
  package static let sizeLimit = 60 << 20

  public var reveal = false
  /// The maximum number of results that are written.
  public var limit: Int

  /// Creates the writer of the report. Secrets are masked unless `reveal` is true.
  public init(reveal: Bool = false, limit: Int = Self.resultLimit) {
    self.reveal = reveal
    self.limit = limit
  }

  public func text(of report: AuditReport, rules: [Rule]) -> String {
    let lines = SourceLines(report.bounded, reveal: reveal)
    let report = lines.report
    let indices = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let (results, left) = results(of: report, lines, indices)
    return JSONValue.object([
      "$schema": """
      https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json
      """,
      "version": "2.1.0",
      "runs": [
        [
          "tool": [
            "driver": [
              "name": "atrest-audit",
              "semanticVersion": .string(AtRestVersion.current),
              "rules": .array(rules.map(Self.descriptor)),
            ]
          ],
          "invocations": [
            [
              "executionSuccessful": true,
              "toolExecutionNotifications": .array(notifications(of: report, left: left)),
            ]
          ],
          "columnKind": "utf16CodeUnits",
          "versionControlProvenance": .array(
            report.repository.map {
              [["repositoryUri": .string($0.address), "revisionId": .string($0.commit)]]
            } ?? []),
          "originalUriBaseIds": [
            "SRCROOT": ["description": ["text": "The folder that was audited."]]
          ],
          "results": .array(results),
        ]
      ],
    ]).text
  }

  // MARK: Rules

  private static func descriptor(_ rule: Rule) -> JSONValue {
    let references = rule.references
    let tags =
      ["security"] + references.cwe.map { "external/cwe/cwe-\($0)" } + references.masvs
      + references.maswe + references.mastg
    var properties: [(String, JSONValue)] = [
      ("tags", .strings(tags.prefix(tagLimit))),
      ("precision", "high"),
      ("problem.severity", .string(problem(rule.severity))),
      ("level", .string(rule.level.rawValue)),
    ]
    if let score = score(rule.severity) { properties.append(("security-severity", .string(score))) }
    let help = RuleText().markdown(of: rule)
    return [
      "id": .string(rule.id.rawValue),
      "shortDescription": ["text": .string(Display.cut(rule.title, textLimit))],
      "fullDescription": ["text": .string(Display.cut(rule.consequence, textLimit))],
      "help": ["text": .string(rule.remedy), "markdown": .string(help)],
      "helpUri": "https://mas.owasp.org/MASVS/",
      "defaultConfiguration": ["level": .string(level(rule.severity))],
      "properties": .object(properties),
    ]
  }

  private static func level(_ severity: Severity) -> String {
    switch severity {
    case .high: "error"
    case .medium: "warning"
    case .low, .note: "note"
    }
  }

  private static func problem(_ severity: Severity) -> String {
    switch severity {
    case .high: "error"
    case .medium: "warning"
    case .low, .note: "recommendation"
    }
  }

  /// Returns a score on the scale of CVSS, or nil for a note.
  private static func score(_ severity: Severity) -> String? {
    switch severity {
    case .high: "8.0"
    case .medium: "5.5"
    case .low: "3.0"
    case .note: nil
    }
  }

  // MARK: Results

  private struct Candidate {
    let finding: Finding
    let state: String
    let suppression: JSONValue?
  }

  private func results(
    of report: AuditReport, _ lines: SourceLines, _ indices: [RuleID: Int]
  ) -> (results: [JSONValue], left: Int) {
    let hasBaseline = !report.known.isEmpty || !report.mended.isEmpty
    var candidates = report.findings.map {
      Candidate(finding: $0, state: "new", suppression: nil)
    }
    candidates += report.known.map {
      Candidate(
        finding: $0, state: "unchanged",
        suppression: ["kind": "external", "justification": "In the baseline."])
    }
    candidates += report.suppressed.map {
      Candidate(
        finding: $0.finding, state: "new",
        suppression: ["kind": "inSource", "justification": .string(Display.safe($0.reason))])
    }
    let all = candidates.count
    if all > limit {
      // The most severe findings come first.
      candidates.sort {
        ($0.suppression == nil ? 0 : 1, $1.finding.severity, $0.finding.location)
          < ($1.suppression == nil ? 0 : 1, $0.finding.severity, $1.finding.location)
      }
      candidates.removeLast(all - limit)
    }
    let fingerprints = Fingerprints(report)
    let related = related(in: report, lines)
    var results: [JSONValue] = []
    var size = 0
    for candidate in candidates {
      let finding = candidate.finding
      var pairs: [(String, JSONValue)] = [("ruleId", .string(finding.rule.rawValue))]
      if let index = indices[finding.rule] { pairs.append(("ruleIndex", .integer(index))) }
      var message = Display.safe(lines.masked(finding.message, of: finding))
      let place = lines.place(of: finding)
      if finding.exhibit != nil, !place.isEmpty { message += " In \(place)." }
      pairs += [
        ("level", .string(Self.level(finding.severity))),
        ("message", ["text": .string(Display.cut(message, Self.messageLimit))]),
        ("locations", [Self.location(of: finding, lines)]),
        ("partialFingerprints", ["atrest/v1": .string(fingerprints[finding])]),
        ("suppressions", .array(candidate.suppression.map { [$0] } ?? [])),
      ]
      if hasBaseline { pairs.append(("baselineState", .string(candidate.state))) }
      if let basis = finding.basis { pairs.append(("rank", .number(basis.tier.rank))) }
      if !finding.trail.isEmpty { pairs.append(("codeFlows", flow(finding, lines))) }
      let places = (related[finding] ?? []) + others(of: finding, lines)
      if !places.isEmpty { pairs.append(("relatedLocations", .array(places))) }
      if let exhibit = finding.exhibit {
        pairs.append(
          (
            "properties",
            .object([
              "deleted": .bool(exhibit.isDeleted),
              "protectionClass": exhibit.protectionClass.map(JSONValue.string),
              "recorded": exhibit.recorded.flatMap(Display.time).map(JSONValue.string),
              "excludedFromBackups": exhibit.isExcludedFromBackups ? true : nil,
            ])
          ))
      }
      let result = JSONValue.object(pairs)
      size += result.size
      guard size <= Self.sizeLimit else { break }
      results.append(result)
    }
    return (results, all - results.count)
  }

  /// Returns the uses that support the finding, and its further places.
  private func others(of finding: Finding, _ lines: SourceLines) -> [JSONValue] {
    let witnesses = (finding.basis?.witnesses ?? []).map {
      ($0.location, "The value \($0.message).")
    }
    let places = finding.places.map { ($0, "The same cause.") }
    return (witnesses + places).prefix(Self.stepLimit).map { location, message in
      [
        "physicalLocation": Self.place(location, lines),
        "message": [
          "text": .string(
            Display.cut(Display.safe(lines.masked(message, of: finding)), Self.textLimit))
        ],
      ]
    }
  }

  /// Returns the steps from the origin of the value to the finding. A long trail is cut in the
  /// middle, because its ends say the most.
  private func flow(_ finding: Finding, _ lines: SourceLines) -> JSONValue {
    var steps = finding.trail
    if steps.count >= Self.stepLimit {
      let half = (Self.stepLimit - 1) / 2
      steps = Array(steps.prefix(half) + steps.suffix(Self.stepLimit - 1 - half))
    }
    steps.append(.init(finding.location, finding.message))
    let locations = steps.map { step -> JSONValue in
      let message = Display.safe(lines.masked(step.message, of: finding))
      return [
        "location": [
          "physicalLocation": Self.place(step.location, lines),
          "message": ["text": .string(Display.cut(message, Self.textLimit))],
        ]
      ]
    }
    return [["threadFlows": [["locations": .array(locations)]]]]
  }

  static func location(of finding: Finding, _ lines: SourceLines) -> JSONValue {
    guard finding.exhibit != nil else {
      return ["physicalLocation": place(finding.location, lines)]
    }
    let name = Display.cut(lines.placeWithPath(of: finding), textLimit)
    return [
      "physicalLocation": [
        "artifactLocation": artifact(finding.location.path),
        // Bytes have no lines, but GitHub shows no result without a region.
        "region": ["startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1],
      ],
      "logicalLocations": [["fullyQualifiedName": .string(name)]],
      "message": ["text": .string(name)],
    ]
  }

  private static func artifact(_ path: String) -> JSONValue {
    ["uri": .string(uri(path)), "uriBaseId": "SRCROOT"]
  }

  static func place(_ location: Location, _ lines: SourceLines) -> JSONValue {
    let start = location.start
    let end = max(location.end, start)
    return [
      "artifactLocation": artifact(location.path),
      "region": [
        "startLine": .integer(max(start.line, 1)),
        "startColumn": .integer(lines.utf16Column(location.path, start)),
        "endLine": .integer(max(end.line, 1)),
        "endColumn": .integer(lines.utf16Column(location.path, end)),
      ],
    ]
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

  private static func uri(_ path: String) -> String {
    path.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "unknown"
  }

  // MARK: Notifications

  private func notifications(of report: AuditReport, left: Int) -> [JSONValue] {
    func notification(_ text: String, _ path: String, _ line: Int?) -> JSONValue {
      var place: [(String, JSONValue)] = [
        ("artifactLocation", Self.artifact(path))
      ]
      if let line { place.append(("region", ["startLine": .integer(max(line, 1))])) }
      return [
        "level": "warning",
        "message": ["text": .string(Display.cut(Display.safe(text), Self.textLimit))],
        "locations": [["physicalLocation": .object(place)]],
      ]
    }
    let all =
      report.skipped.map { notification("Not read: \($0.reason)", $0.path, $0.line) }
      + report.unusedSuppressions.map {
        notification("A comment suppresses nothing: \($0.why)", $0.path, $0.line)
      }
    var notifications = Array(all.prefix(Self.notificationLimit))
    func count(_ number: Int, _ what: String) {
      guard number > 0 else { return }
      notifications.append([
        "level": "warning", "message": ["text": .string("\(number) more \(what) are left out.")],
      ])
    }
    count(left, "results")
    count(all.count - Self.notificationLimit, "notifications")
    return notifications
  }
}
