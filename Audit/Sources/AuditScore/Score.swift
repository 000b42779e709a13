import AtRestAudit

/// The comparison of an audit with judgements.
struct Score {
  /// The judged findings that the audit still has, by severity, rule and verdict. Findings that stand
  /// for several judged ones count once.
  private(set) var kept: [Key: Int] = [:]
  /// The judgements that no finding matches, by rule and verdict.
  private(set) var gone: [Key: Int] = [:]
  private(set) var lost: [String] = []
  private(set) var wrong: [String] = []
  private(set) var unjudged: [String] = []
  private(set) var lines = 0
  /// The judged findings that the audit still has, one by one.
  private(set) var marks: [Mark] = []

  /// How right a judged finding is: 1 for a right one, a half for a debatable one, 0 for a wrong one.
  struct Mark {
    let app: String
    let rule: String
    let severity: Severity
    /// The tier of its evidence, or nil for a finding that is not about a value.
    let tier: EvidenceTier?
    let worth: Double
  }

  struct Key: Hashable {
    var severity: Severity?
    var rule: String
    var verdict: JudgedApp.Verdict
  }

  mutating func add(_ app: JudgedApp, _ report: AuditReport) {
    lines += report.statistics.swiftLines + report.statistics.objectiveCLines
    var counted: Set<Int> = []
    var judged: Set<Int> = []
    for judgement in app.judgements {
      let found = report.findings.indices.filter { judgement.matches(report.findings[$0]) }
      judged.formUnion(found)
      let place = "\(app.name) \(judgement.rule) \(judgement.path):\(judgement.lines.lowerBound)"
      guard let first = found.first else {
        let verdict = judgement.verdict == .severe ? .debatable : judgement.verdict
        gone[Key(rule: judgement.rule, verdict: verdict), default: 0] += 1
        if judgement.verdict == .right { lost.append("\(place) \(judgement.reason)") }
        continue
      }
      guard counted.isDisjoint(with: found) else { continue }
      counted.formUnion(found)
      let severity = report.findings[first].severity
      var verdict = judgement.verdict
      if verdict == .severe {
        verdict = judgement.severity.map { severity < $0 } == true ? .right : .debatable
      }
      kept[Key(severity: severity, rule: judgement.rule, verdict: verdict), default: 0] += 1
      marks.append(
        Mark(
          app: app.name, rule: judgement.rule, severity: severity,
          tier: report.findings[first].basis?.tier, worth: verdict.worth))
      if judgement.verdict == .wrong {
        wrong.append("\(severity.rawValue) \(place) \(judgement.reason)")
      }
    }
    for index in report.findings.indices where !judged.contains(index) {
      let finding = report.findings[index]
      guard finding.severity >= .medium else { continue }
      unjudged.append(
        "\(finding.severity.rawValue) \(app.name) \(finding.rule.rawValue) "
          + "\(finding.location.path):\(finding.location.start.line) \(finding.message)")
    }
  }

  /// Returns the number of judged findings that meet a condition.
  func count(_ verdict: JudgedApp.Verdict, where isCounted: (Key) -> Bool = { _ in true }) -> Int {
    kept.filter { $0.key.verdict == verdict && isCounted($0.key) }.values.reduce(0, +)
  }

  func countGone(_ verdict: JudgedApp.Verdict, rule: String? = nil) -> Int {
    gone.filter { $0.key.verdict == verdict && (rule == nil || $0.key.rule == rule) }
      .values.reduce(0, +)
  }

  /// Returns the share of right findings, of which debatable ones count half, or nil if there are
  /// none.
  func precision(where isCounted: (Key) -> Bool = { _ in true }) -> Double? {
    // A problem that a reader had to point out, and that is found now, is right.
    let right = Double(count(.right, where: isCounted) + count(.missed, where: isCounted))
    let debatable = Double(count(.debatable, where: isCounted))
    let all = right + debatable + Double(count(.wrong, where: isCounted))
    return all == 0 ? nil : (right + debatable / 2) / all
  }

  var rules: [String] { Set(kept.keys.map(\.rule) + gone.keys.map(\.rule)).sorted() }
}

extension JudgedApp.Verdict {
  /// A problem that a reader had to point out, and that is found now, is right.
  var worth: Double {
    switch self {
    case .right, .missed: 1
    case .severe, .debatable: 0.5
    case .wrong: 0
    }
  }
}
