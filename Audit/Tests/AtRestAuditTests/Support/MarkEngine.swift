import AtRestAudit
import Foundation

/// An engine whose findings are written in the files: `FIND(rule)` anywhere in a line.
enum MarkEngine {
  static let rules: [Rule] = [
    rule("hardcoded-key", .high, cwe: [321]),
    rule("log-sensitive", .medium, cwe: [532]),
    rule("weak-kdf", .low, cwe: [916]),
    rule("ipc-inventory", .note, cwe: []),
  ]

  static let engine = Engine()

  struct Engine: AuditEngine {
    let rules = MarkEngine.rules

    func read(_ file: AuditFile, _ data: Data) -> Reading<[Finding]> { MarkEngine.read(file, data) }

    func judge(
      _ readings: [Reading<[Finding]>], _ settings: Settings, _ surroundings: Surroundings
    ) -> Judgement {
      Judgement(findings: readings.flatMap { $0.content ?? [] })
    }
  }

  /// Returns the report on files in memory.
  static func report(
    _ files: [String: String], _ settings: Settings = Settings(), baseline: Baseline? = nil,
    paths: [String] = []
  ) throws -> AuditReport {
    var audit = Audit(tree: SourceTree(files: files), settings: settings, engine: engine)
    audit.baseline = baseline
    audit.paths = paths
    return try audit.run()
  }

  private static func rule(_ id: RuleID, _ severity: Severity, cwe: [Int]) -> Rule {
    Rule(
      id, "Title of \(id) <&>", severity: severity, level: .required,
      consequence: "Consequence of \(id).", remedy: "Remedy of \(id).",
      references: .init(
        masvs: ["MSTG-STORAGE-1"], maswe: ["MASWE-0001"], masweBeta: ["MASWE-0006"],
        mastg: ["MASTG-TEST-0302"], cwe: cwe),
      bad: .init("Bad.swift", "bad()\n"), good: .init("Good.swift", "good()\n"))
  }

  private static func read(_ file: AuditFile, _ data: Data) -> Reading<[Finding]> {
    var findings: [Finding] = []
    var directives: [Directive] = []
    let text = String(decoding: data, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if file.kind.isCode, let at = line.range(of: "// atrest:") {
        directives.append(
          Directive(
            text: line[at.upperBound...].trimmingCharacters(in: .whitespaces), line: index + 1,
            followsCode: line[..<at.lowerBound].contains { $0 != " " }))
      }
      var rest = line
      while let open = rest.range(of: "FIND("),
        let close = rest[open.upperBound...].firstIndex(of: ")")
      {
        let rule = RuleID(String(rest[open.upperBound..<close]))
        let column = line.utf8.distance(from: line.startIndex, to: open.lowerBound) + 1
        let severity = rules.first { $0.id == rule }?.severity ?? .high
        findings.append(
          Finding(
            rule: rule, severity: severity,
            location: Location(
              path: file.path, start: Position(line: index + 1, column: column),
              end: Position(line: index + 1, column: line.utf8.count + 1)),
            message: "Found \(rule).",
            anchor: line.split(separator: " ").joined(separator: " ")))
        rest = rest[close...]
      }
    }
    let skips = text.contains("SKIP") ? [Skip(path: file.path, line: 1, reason: "Too odd.")] : []
    guard file.kind.isCode else {
      return Reading(file: file, content: findings, skipped: skips)
    }
    return Reading(
      file: file,
      source: SourceFile(
        path: file.path, language: file.kind == .swift ? .swift : .objectiveC,
        directives: directives, lines: LineTable(data)),
      content: findings, skipped: skips)
  }
}
