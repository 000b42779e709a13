import AtRestAuditModel
@_spi(Tools) import AtRestCrypto
import AtRestFormats

/// The report as JSON for other programs. `docs/AuditFormats.md` describes each key.
public struct JSONReport: Sendable {
  /// The version of the format. Keys may be added without a new version.
  public static let version = 1

  public var reveal = false

  /// Creates the writer of the report. Secrets are masked unless `reveal` is true.
  public init(reveal: Bool = false) { self.reveal = reveal }

  public func text(of report: AuditReport, rules: [Rule]) -> String {
    let lines = SourceLines(report.bounded, reveal: reveal)
    let report = lines.report
    let fingerprints = Fingerprints(report)
    func json(_ finding: Finding, _ more: [(String, JSONValue)] = []) -> JSONValue {
      var pairs: [(String, JSONValue)] = [
        ("rule", .string(finding.rule.rawValue)),
        ("severity", .string(finding.severity.rawValue)),
        ("message", .string(lines.masked(finding.message, of: finding))),
        ("location", Self.location(finding.location)),
        ("fingerprint", .string(fingerprints[finding])),
      ]
      if finding.exhibit != nil {
        pairs.append(("exhibit", Self.exhibit(of: finding, lines)))
      } else if let code = lines.code(at: finding.location) {
        pairs.append(("code", .string(code)))
      }
      func json(_ steps: [Finding.Step]) -> JSONValue {
        .array(
          steps.map {
            [
              "location": Self.location($0.location),
              "message": .string(lines.masked($0.message, of: finding)),
            ]
          })
      }
      pairs.append(("trail", json(finding.trail)))
      if let basis = finding.basis {
        pairs.append(
          (
            "evidence",
            [
              "tier": .string(basis.tier.rawValue), "why": .string(basis.tier.explanation),
              "witnesses": json(basis.witnesses),
            ]
          ))
      }
      if !finding.places.isEmpty {
        pairs.append(("places", .array(finding.places.map(Self.location))))
      }
      return .object(pairs + more)
    }
    let used = Set(
      (report.findings + report.suppressed.map(\.finding) + report.known).map(\.rule))
    let value: JSONValue = [
      "version": .integer(Self.version),
      "tool": ["name": "atrest-audit", "version": .string(AtRestVersion.current)],
      "project": .string(report.tree.name),
      "joined": Self.joined(of: report, lines),
      "canaries": Self.canaries(of: report, lines),
      "findings": .array(
        report.findings.enumerated().map { json($1, [("number", .integer($0 + 1))]) }),
      "suppressed": .array(
        report.suppressed.map {
          json(
            $0.finding,
            [("reason", .string($0.reason)), ("suppressedAtLine", .integer($0.line))])
        }),
      "known": .array(report.known.map { json($0) }),
      "mended": .array(
        report.mended.map {
          [
            "rule": .string($0.rule.rawValue), "path": .string($0.path),
            "fingerprint": .string($0.fingerprint),
          ]
        }),
      "unusedSuppressions": .array(
        report.unusedSuppressions.map {
          ["path": .string($0.path), "line": .integer($0.line), "why": .string($0.why)]
        }),
      "containers": .array(report.containers.map(Self.json)),
      "skipped": .array(
        report.skipped.map { skip in
          .object([
            "path": .string(skip.path), "line": skip.line.map(JSONValue.integer),
            "reason": .string(skip.reason),
          ])
        }),
      "leftOut": .array(
        report.leftOut.map {
          ["reason": .string($0.reason.rawValue), "path": .string($0.path)]
        }),
      "checklist": .array(
        report.checklist.map {
          .object([
            "id": .string($0.id), "question": .string($0.question),
            "answer": $0.answer.map(JSONValue.string),
          ])
        }),
      "statistics": [
        "files": .integer(report.statistics.files),
        "swiftLines": .integer(report.statistics.swiftLines),
        "objectiveCLines": .integer(report.statistics.objectiveCLines),
        "otherFiles": .integer(report.statistics.otherFiles),
        "seconds": .number(report.statistics.seconds),
      ],
      "rules": .array(rules.filter { used.contains($0.id) }.map(Self.json)),
    ]
    return value.text
  }

  /// Returns the rulebook, or a part of it, as JSON.
  public static func text(of rules: [Rule]) -> String {
    JSONValue.object([
      "version": .integer(version), "rules": .array(rules.map(json)),
    ]).text
  }

  /// Returns the checklist with its answers as JSON.
  public static func text(of checklist: [AuditReport.ChecklistAnswer]) -> String {
    let guidance = Dictionary(uniqueKeysWithValues: Checklist.all.map { ($0.id, $0) })
    return JSONValue.object([
      "version": .integer(version),
      "checklist": .array(
        checklist.map {
          .object([
            "id": .string($0.id), "question": .string($0.question),
            "guidance": (guidance[$0.id]?.guidance).map(JSONValue.string),
            "reference": (guidance[$0.id]?.reference).map(JSONValue.string),
            "answer": $0.answer.map(JSONValue.string),
          ])
        }),
    ]).text
  }

  private static func json(_ rule: Rule) -> JSONValue {
    func example(_ example: Rule.Example) -> JSONValue {
      ["file": .string(example.file), "text": .string(example.text)]
    }
    return [
      "id": .string(rule.id.rawValue),
      "title": .string(rule.title),
      "severity": .string(rule.severity.rawValue),
      "level": .string(rule.level.rawValue),
      "consequence": .string(rule.consequence),
      "remedy": .string(rule.remedy),
      "references": [
        "masvs": .strings(rule.references.masvs),
        "maswe": .strings(rule.references.maswe),
        "masweBeta": .strings(rule.references.masweBeta),
        "mastg": .strings(rule.references.mastg),
        "cwe": .array(rule.references.cwe.map(JSONValue.integer)),
      ],
      "bad": example(rule.bad),
      "good": example(rule.good),
    ]
  }

  static func location(_ location: Location) -> JSONValue {
    func json(_ position: Position) -> JSONValue {
      ["line": .integer(position.line), "column": .integer(position.column)]
    }
    return [
      "path": .string(location.path), "start": json(location.start), "end": json(location.end),
    ]
  }
}
