import AtRestAudit
import AtRestContainers
import Foundation
import Testing

/// A small project or container that shows a rule, and the lines on which the rule finds something.
///
/// Fixtures are written in Markdown, with one file per rule: `# rule-id`, then for each project
/// `## bad: …` or `## good: …` and its files. Each file is fenced, with the language and the name
/// after the opening fence. A finding is expected on each line that has `HERE` in a comment. If the
/// files of a container have no lines, it is expected on the first line.
struct RuleFixture: Sendable, CustomTestStringConvertible {
  let rule: RuleID
  let title: String
  let isBad: Bool
  /// The text of each file, by its name.
  private(set) var files: [String: String] = [:]

  var testDescription: String { "\(rule), \(isBad ? "bad" : "good"): \(title)" }

  /// The places at which findings are expected, such as `Login.swift:3`.
  var marks: Set<String> {
    var marks: Set<String> = []
    for (name, text) in files {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where line.contains(" HERE") {
        marks.insert("\(name):\(index + 1)")
      }
    }
    return marks
  }

  /// Returns the place and the message of each finding of the rule.
  func findings() throws -> [(place: String, message: String)] {
    try Self.report(files, on: rule).findings.filter { $0.rule == rule }.flatMap { finding in
      ([finding.location] + finding.places).map {
        ("\(Self.path($0)):\($0.start.line)", finding.message)
      }
    }
  }

  /// Returns the path of a finding without the name of the container.
  private static func path(_ location: Location) -> String {
    let path = location.path
    return path.hasPrefix("\(container)/") ? String(path.dropFirst(container.count + 1)) : path
  }

  private static let container = "Container"
  /// The canary that fixtures of containers contain.
  private static let canary = "canary-correct-horse"

  /// Returns the report on files in memory. They are audited as the subject of the rule: as code,
  /// as a container, or as the dump of a keychain.
  static func report(_ files: [String: String], on rule: RuleID) throws -> AuditReport {
    let subject = Rulebook.all.first { $0.id == rule }?.subject
    guard subject == .container else { return try report(files) }
    guard rule == "container-keychain-item" else {
      let source = ContainerSource(files: files.mapValues { Array($0.utf8) })
      var audit = ContainerAudit(name: container, source)
      audit.canaries = [try Canary(name: "typed", value: canary)]
      return try audit.run()
    }
    let reports = try files.sorted { $0.key < $1.key }.map { file, text in
      let dump = try KeychainDump.read(ByteSource(Array(text.utf8)), path: file)
      return KeychainAudit(name: container, items: dump.items, skipped: dump.skipped).run()
    }
    return try reports.dropFirst().reduce(#require(reports.first)) { $0.adding($1) }
  }

  /// Returns the report on code, with the advisories of the fixtures.
  private static func report(_ files: [String: String]) throws -> AuditReport {
    var settings = Settings()
    settings.advisories =
      Bundle.module.resourceURL?
      .appendingPathComponent("Fixtures/Advisories").path
    return try Audit(tree: SourceTree(files: files), settings: settings).run()
  }

  /// All fixtures, in the order of their files.
  static let all: [RuleFixture] = {
    let folder = Bundle.module.resourceURL?.appendingPathComponent("Fixtures/Rules")
    let files = folder.flatMap {
      try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    return (files ?? []).filter { $0.pathExtension == "md" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .flatMap { file in
        (try? String(contentsOf: file, encoding: .utf8)).map { read($0) } ?? []
      }
  }()

  /// Returns the fixtures of one file.
  static func read(_ text: String) -> [RuleFixture] {
    var fixtures: [RuleFixture] = []
    var rule: RuleID = ""
    var open: (name: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let file = open {
        if line == "```" {
          let content = file.lines.joined(separator: "\n") + "\n"
          if !fixtures.isEmpty { fixtures[fixtures.count - 1].files[file.name] = content }
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        let name = line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
        open = (name, [])
      } else if line.hasPrefix("# ") {
        rule = RuleID(String(line.dropFirst(2)))
      } else if line.hasPrefix("## bad: ") || line.hasPrefix("## good: ") {
        let isBad = line.hasPrefix("## bad")
        fixtures.append(
          RuleFixture(
            rule: rule, title: String(line.dropFirst(isBad ? 8 : 9)), isBad: isBad))
      }
    }
    return fixtures
  }
}
