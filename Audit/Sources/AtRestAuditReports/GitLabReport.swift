import AtRestAuditModel
@_spi(Tools) import AtRestCrypto
import AtRestFormats
import Foundation

/// The report in GitLab's SAST format, schema 15.
public struct GitLabReport: Sendable {
  static let schemaVersion = "15.0.7"

  public var reveal = false
  /// The time at which the audit ended.
  public var date: Date

  /// Creates the writer of the report. Secrets are masked unless `reveal` is true.
  public init(reveal: Bool = false, date: Date = Date()) {
    self.reveal = reveal
    self.date = date
  }

  public func text(of report: AuditReport, rules: [Rule]) -> String {
    let lines = SourceLines(report.bounded, reveal: reveal)
    let report = lines.report
    let index = RuleIndex(rules)
    let fingerprints = Fingerprints(report)
    let tool: JSONValue = [
      "id": "atrest-audit",
      "name": "AtRest auditor",
      "version": .string(AtRestVersion.current),
      "vendor": ["name": "AtRest"],
    ]
    var scan: [(String, JSONValue)] = [
      ("analyzer", tool),
      ("scanner", tool),
      ("type", "sast"),
      ("start_time", time(date - report.statistics.seconds)),
      ("end_time", time(date)),
      ("status", "success"),
    ]
    let messages = report.skipped.prefix(1000).map { skip -> JSONValue in
      let line = skip.line.map { ":\($0)" } ?? ""
      return ["level": "warn", "value": .string("\(skip.path)\(line): \(skip.reason)")]
    }
    if !messages.isEmpty { scan.append(("messages", .array(messages))) }
    let vulnerabilities = report.findings.map { finding -> JSONValue in
      let rule = index[finding.rule]
      var pairs: [(String, JSONValue)] = [
        ("id", .string(Self.uuid(fingerprints[finding]))),
        ("name", .string(Display.cut(rule?.title ?? finding.rule.rawValue, 255))),
        ("description", .string(description(of: finding, lines))),
        ("severity", .string(Self.severity(finding.severity))),
      ]
      if let rule { pairs.append(("solution", .string(Display.cut(rule.remedy, 7000)))) }
      pairs.append(("location", location(of: finding)))
      pairs.append(("identifiers", identifiers(finding.rule.rawValue, rule)))
      return .object(pairs)
    }
    return JSONValue.object([
      "version": .string(Self.schemaVersion),
      "scan": .object(scan),
      "vulnerabilities": .array(vulnerabilities),
    ]).text
  }

  private func description(of finding: Finding, _ lines: SourceLines) -> String {
    let message = Display.safe(lines.masked(finding.message, of: finding))
    guard let exhibit = finding.exhibit else {
      let reasons = lines.reasons(for: finding).map { "\($0.label) \($0.text)" }
      return ([message] + reasons).joined(separator: "\n\n")
    }
    return [message, "In " + lines.placeWithPath(of: finding), exhibit.circumstances]
      .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func location(of finding: Finding) -> JSONValue {
    let file = JSONValue.string(finding.location.path)
    // Findings in a container have no lines.
    guard finding.exhibit == nil else { return ["file": file] }
    return [
      "file": file,
      "start_line": .integer(max(finding.location.start.line, 1)),
      "end_line": .integer(max(finding.location.end.line, finding.location.start.line, 1)),
    ]
  }

  private func identifiers(_ id: String, _ rule: Rule?) -> JSONValue {
    var identifiers: [JSONValue] = [
      ["type": "atrest_audit_rule", "name": .string("AtRest \(id)"), "value": .string(id)]
    ]
    for number in rule?.references.cwe ?? [] {
      identifiers.append([
        "type": "cwe", "name": .string("CWE-\(number)"), "value": .string(String(number)),
        "url": .string("https://cwe.mitre.org/data/definitions/\(number).html"),
      ])
    }
    for weakness in rule?.references.maswe ?? [] {
      identifiers.append([
        "type": "maswe", "name": .string(weakness), "value": .string(weakness),
      ])
    }
    return .array(Array(identifiers.prefix(20)))
  }

  private static func severity(_ severity: Severity) -> String {
    switch severity {
    case .high: "High"
    case .medium: "Medium"
    case .low: "Low"
    case .note: "Info"
    }
  }

  /// Returns an identifier that is the same for the same finding, so that GitLab recognises it.
  private static func uuid(_ fingerprint: String) -> String {
    let digits = Array(fingerprint.prefix(32))
    guard digits.count == 32 else { return fingerprint }
    let groups = [digits[0..<8], digits[8..<12], digits[13..<16], digits[17..<20], digits[20..<32]]
    let text = groups.map { String($0) }
    return "\(text[0])-\(text[1])-5\(text[2])-8\(text[3])-\(text[4])"
  }

  private func time(_ date: Date) -> JSONValue {
    var style = Date.ISO8601FormatStyle(timeZone: .gmt)
    style = style.year().month().day().dateTimeSeparator(.standard).time(
      includingFractionalSeconds: false)
    return .string(date.formatted(style))
  }
}
