import ArgumentParser
import AtRestAudit
import Foundation

/// `atrest-audit [scan] PATH…`
struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Audit folders and files. This is the default.")

  @ArgumentParser.Argument(
    help: "The folders and files. The default is the current folder.", completion: .file())
  var paths: [String] = []

  @OptionGroup var reports: ReportOptions

  @Option(help: "Leave out the findings in this baseline.", completion: .file())
  var baseline: String?

  @Option(help: "Write all findings into a baseline, and exit with 0.", completion: .file())
  var writeBaseline: String?

  @Flag(help: "Remove findings that were fixed from the baseline.")
  var updateBaseline = false

  @Option(help: "Show only findings in files that are new or changed since this git revision.")
  var changedSince: String?

  @Flag(help: "Read what is staged in git, and show only findings in what the next commit changes.")
  var staged = false

  @Flag(help: "Also read vendored folders.")
  var includeVendored = false

  @Flag(help: "Also read generated code.")
  var includeGenerated = false

  @Flag(help: "Also read tests.")
  var includeTests = false

  @Option(
    name: .customLong("rule"), parsing: .singleValue, help: "Check only this rule. May be repeated."
  )
  var rules: [String] = []

  @Option(help: "Explain a rule, or the finding with this number.")
  var explain: String?

  @Option(help: "A folder or zip of advisories in the OSV format.", completion: .file())
  var advisories: String?

  @Option(
    parsing: .singleValue,
    help: """
      A container of the app. Values that are found in it are reported together with the code that \
      stores them. May be repeated.
      """,
    completion: .file())
  var container: [String] = []

  @OptionGroup var typed: CanaryOptions

  func validate() throws {
    if writeBaseline != nil, updateBaseline {
      throw ValidationError(
        "--write-baseline and --update-baseline cannot be used together. Choose one.")
    }
    if staged, changedSince != nil || !paths.isEmpty && paths != ["."] {
      throw ValidationError(
        "--staged reads the index of the current folder. Remove the paths and --changed-since.")
    }
    if writeBaseline != nil || updateBaseline, staged || changedSince != nil || !rules.isEmpty {
      throw ValidationError(
        "A baseline needs all findings of all files. Remove the options that select some.")
    }
  }

  func run() throws {
    let ids = Set(Rulebook.all.map(\.id))
    if let explain, Int(explain) == nil {
      return try Output.write(
        RuleText(colours: Output.colours).text(of: RulesCommand.rule(explain, in: Rulebook.all)))
    }
    for rule in rules { _ = try RulesCommand.rule(rule, in: Rulebook.all) }

    let scope = try ScanScope(paths)
    var (settings, base) = try reports.settings(in: scope.folder, rules: ids)
    if includeVendored { settings.includesVendored = true }
    if includeGenerated { settings.includesGenerated = true }
    if includeTests { settings.includesTests = true }
    settings.onlyRules = Set(rules.map(RuleID.init(_:)))
    settings.advisories = advisories ?? settings.advisories.map { ScanScope.path($0, in: base) }
    if let advisories = settings.advisories, !FileManager.default.fileExists(atPath: advisories) {
      throw AuditError("The advisories \(advisories) do not exist. Check the path.")
    }
    let baselinePath = baseline ?? settings.baseline.map { ScanScope.path($0, in: base) }

    // A baseline quotes what was found, and is no part of the project.
    for path in [baselinePath, writeBaseline].compactMap({ $0 }) {
      if let own = scope.relative(path) { settings.exclude.append(Glob(own)) }
    }
    var audit =
      staged
      ? try Audit.staged(in: scope.folder, settings: settings)
      : Audit(tree: SourceTree(folder: scope.folder), settings: settings)
    if !staged { audit.paths = scope.paths }
    audit.changedSince = changedSince
    if writeBaseline == nil, let baselinePath {
      audit.baseline = try Self.readBaseline(baselinePath)
    }
    if updateBaseline, audit.baseline == nil {
      throw AuditError("--update-baseline needs a baseline. Name it with --baseline.")
    }
    if updateBaseline, !scope.paths.isEmpty {
      throw AuditError(
        "A baseline can only be updated by an audit of the whole project. Run it without paths.")
    }
    if container.isEmpty, !(typed.canary.isEmpty && typed.canaries == nil) {
      throw AuditError("Canaries are searched for in containers. Name one with --container.")
    }
    var report = try audit.run()
    for path in container {
      var found = try typed.audit(of: path, settings)
      if let baseline = audit.baseline { found = found.compared(with: baseline) }
      report = report.adding(found)
    }
    try finish(report, settings, baselinePath)
  }

  private func finish(
    _ report: AuditReport, _ settings: Settings, _ baselinePath: String?
  ) throws {
    if let number = explain.flatMap({ Int($0) }) {
      let terminal = TerminalReport(colours: Output.colours, reveal: reports.reveal)
      guard let text = terminal.explanation(of: number, in: report, rules: Rulebook.all) else {
        throw AuditError(
          "Finding \(number) does not exist. The report has \(report.findings.count).")
      }
      return try Output.write(text)
    }
    if let writeBaseline {
      let baseline = Baseline(report)
      try Output.write(baseline.json, to: writeBaseline)
      Output.note("\(writeBaseline): \(baseline.findings.count) findings.")
      return
    }
    try reports.write(report, rules: Rulebook.all, settings: settings)
    if updateBaseline, let baselinePath {
      let updated = try Self.readBaseline(baselinePath).updated(by: report)
      try Output.write(updated.json, to: baselinePath)
    }
    if report.fails(settings) { throw ExitCode(ExitStatus.findings.rawValue) }
  }

  static func readBaseline(_ path: String) throws -> Baseline {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw AuditError(
        "The baseline \(path) does not exist. Write it with --write-baseline \(path).")
    }
    return try Baseline(json: data, path: path)
  }
}
