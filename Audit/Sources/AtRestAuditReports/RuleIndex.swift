import AtRestAuditModel

/// The rules of a report by their identifiers.
struct RuleIndex {
  private let rules: [RuleID: Rule]

  init(_ rules: [Rule]) {
    self.rules = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
  }

  subscript(id: RuleID) -> Rule? { rules[id] }
}

extension Rule.References {
  /// The names of the references as they are shown, each with its address.
  package var links: [(name: String, url: String)] {
    let mastg = "https://mas.owasp.org/MASTG/tests/"
    return masvs.map { ($0, "https://mas.owasp.org/MASVS/") }
      + maswe.map { ($0, "https://mas.owasp.org/MASWE/") }
      + self.mastg.map { ($0, mastg) }
      + cwe.map { ("CWE-\($0)", "https://cwe.mitre.org/data/definitions/\($0).html") }
  }
}

extension AuditReport {
  /// `2 high, 1 low`, leaving out severities that no finding has.
  func severities(of findings: [Finding]) -> String {
    Severity.allCases.reversed().compactMap { severity in
      let count = findings.count { $0.severity == severity }
      return count > 0 ? "\(Display.grouped(count)) \(severity.rawValue)" : nil
    }.joined(separator: ", ")
  }

  /// `120 files read, 8,000 lines of Swift; 1 container opened, 80 files`.
  var scope: String {
    guard !containers.isEmpty else { return scopeOfFiles }
    let files = containers.reduce(0) { $0 + $1.files.count }
    let opened =
      Display.count(containers.count, "container") + " opened, "
      + Display.count(files, "file")
    return statistics.files == 0 ? opened : "\(scopeOfFiles); \(opened)"
  }

  private var scopeOfFiles: String {
    let lines = [(statistics.swiftLines, "Swift"), (statistics.objectiveCLines, "Objective-C")]
    let languages = lines.filter { $0.0 > 0 }
      .map { "\(Display.count($0.0, "line")) of \($0.1)" }
    return "\(Display.count(statistics.files, "file")) read"
      + (languages.isEmpty ? "" : ", " + languages.joined(separator: " and "))
  }
}
