import AtRestAudit
import Foundation
import Testing

/// Reports are written whatever files contain and wherever findings point.
@Suite struct HostileReportTests {
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let pieces: [[UInt8]] =
    [
      "\"", "\"\"\"", "\\", "\n", "\r\n", "\t", "<", ">", "=", "é", "日本", "\u{202E}", "```", "]]>",
      "secret-secret", "x", " ", "// atrest:ignore-", "<!-- atrest:ignore ", "FIND(weak-kdf)",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x1B], [0x01]]

  private func report(_ random: inout Random) -> AuditReport {
    var files: [String: Data] = [:]
    for name in ["A.swift", "B\u{7}<.plist", "C.xcconfig", "weiß/D.m"] {
      let count = Int.random(in: 0..<120, using: &random)
      let bytes = (0..<count).flatMap { _ in Self.pieces.randomElement(using: &random) ?? [] }
      files[name] = Data(bytes)
    }
    let paths = files.keys.sorted() + ["Gone.swift"]
    func number() -> Int {
      [Int.min, -1, 0, 1, 2, 3, 5, 40, 1000, Int.max].randomElement(using: &random) ?? 1
    }
    func location() -> Location {
      Location(
        path: paths.randomElement(using: &random) ?? "",
        start: Position(line: number(), column: number()),
        end: Position(line: number(), column: number()))
    }
    var report = AuditReport(tree: SourceTree(data: files))
    report.findings = (0..<20).map { index in
      Finding(
        rule: ["hardcoded-key", "weak-kdf", "no-such-rule"][index % 3],
        severity: Severity.allCases.randomElement(using: &random) ?? .low, location: location(),
        message: "secret-secret \u{1B}[0m \u{0}",
        trail: (0..<(index % 4)).map { _ in .init(location(), "from\n<here>") }, anchor: "\(index)",
        secrets: [Finding.Secret("hunter2", at: location())])
    }
    report.skipped = [Skip(path: "\u{1B}", line: -3, reason: "\u{0}")]
    return report
  }

  @Test(arguments: 0..<12)
  func writesReports(seed: Int) throws {
    var random = Random(state: UInt64(seed))
    let report = report(&random)
    let rules = Sample.rules
    let sarif = SARIFReport().text(of: report, rules: rules)
    if let schema = try? SchemaChecker(Data(contentsOf: Schemas.sarif)) {
      #expect(try schema.errors(json: sarif).isEmpty)
    }
    _ = try Sample.json(JSONReport().text(of: report, rules: rules))
    _ = try Sample.json(GitLabReport().text(of: report, rules: rules))
    _ = MarkdownReport().text(of: report, rules: rules)
    _ = JUnitReport().text(of: report, rules: rules)
    let terminal = TerminalReport().text(of: report, rules: rules)
    let html = HTMLReport().text(of: report, rules: rules)
    for text in [terminal, html] {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
    }
  }

  @Test(arguments: 0..<40)
  func readsFiles(seed: Int) throws {
    var random = Random(state: UInt64(seed))
    let tree = report(&random).tree
    var audit = Audit(tree: tree, engine: MarkEngine.engine)
    let report = try audit.run()
    audit.baseline = Baseline(report)
    #expect(try audit.run().findings.isEmpty)
  }
}
