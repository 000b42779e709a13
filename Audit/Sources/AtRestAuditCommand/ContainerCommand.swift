import ArgumentParser
import AtRestAudit
import AtRestContainers
import Foundation

/// `atrest-audit container PATH…`
struct ContainerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "container",
    abstract: "Search what an app left behind for unprotected secrets.",
    discussion: """
      PATH is a data container, the folder of a simulator, a Linux data directory, an ipa, zip or \
      tar, or a backup of a device. It is only read.

      Type text that occurs nowhere else into the app, use it, and search for that text:

        atrest-audit container --canary 'correct-horse-7' ~/Containers/Bank
        atrest-audit container --canaries typed.txt --format html -o report.html Backup
      """)

  @ArgumentParser.Argument(help: "Folders, archives and backups.", completion: .file())
  var paths: [String]

  @OptionGroup var typed: CanaryOptions
  @OptionGroup var reports: ReportOptions

  @Option(help: "Leave out the findings in this baseline.", completion: .file())
  var baseline: String?

  @Option(
    name: .customLong("rule"), parsing: .singleValue, help: "Check only this rule. May be repeated."
  )
  var rules: [String] = []

  func run() throws {
    let all = Rulebook.all
    for rule in rules { _ = try RulesCommand.rule(rule, in: all) }
    var (settings, _) = try reports.settings(
      in: FileManager.default.currentDirectoryPath, rules: Set(all.map(\.id)))
    settings.onlyRules = Set(rules.map(RuleID.init(_:)))
    var report: AuditReport?
    for path in paths {
      let next = try typed.audit(of: path, settings)
      report = report?.adding(next) ?? next
    }
    guard var report else { return }
    if let baseline { report = report.compared(with: try ScanCommand.readBaseline(baseline)) }
    try reports.write(report, rules: all, settings: settings)
    if report.fails(settings) { throw ExitCode(ExitStatus.findings.rawValue) }
  }
}
