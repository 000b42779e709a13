import ArgumentParser
import AtRestAudit
import Foundation

/// `atrest-audit [scan] PATH…`
struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Audit folders and files. The default.")

  @ArgumentParser.Argument(
    help: "Folders and files; the current folder if none is given.", completion: .file())
  var paths: [String] = []

  @OptionGroup var reports: ReportOptions

  @Option(help: "Leave out the findings that this file has.", completion: .file())
  var baseline: String?

  @Option(help: "Write all findings into a baseline, and end with 0.", completion: .file())
  var writeBaseline: String?

  @Flag(help: "Drop from the baseline what is mended.")
  var updateBaseline = false

  @Option(help: "Only findings in files that differ from this revision of git, or are new.")
  var changedSince: String?

  @Flag(help: "Read vendored folders too.")
  var includeVendored = false

  @Flag(help: "Read generated code too.")
  var includeGenerated = false

  @Flag(help: "Read tests too.")
  var includeTests = false

  @Option(
    name: .customLong("rule"), parsing: .singleValue, help: "Only this rule. May be repeated.")
  var rules: [String] = []

  @Option(help: "Explain a rule, or the finding of this number.")
  var explain: String?

  @Option(help: "A folder or zip of advisories in OSV's format.", completion: .file())
  var advisories: String?

  @Option(
    parsing: .singleValue,
    help: "A container of the app, to be told of in the same report. May be repeated.",
    completion: .file())
  var container: [String] = []

  @OptionGroup var typed: CanaryOptions

  func validate() throws {
    if writeBaseline != nil, updateBaseline {
      throw ValidationError("--write-baseline and --update-baseline exclude each other.")
    }
    if writeBaseline != nil || updateBaseline, changedSince != nil || !rules.isEmpty {
      throw ValidationError("A baseline is made of all findings of all files.")
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
      throw AuditError("There are no advisories at \(advisories).")
    }
    let baselinePath = baseline ?? settings.baseline.map { ScanScope.path($0, in: base) }

    var audit = Audit(tree: SourceTree(folder: scope.folder), settings: settings)
    audit.paths = scope.paths
    audit.changedSince = changedSince
    if writeBaseline == nil, let baselinePath {
      audit.baseline = try Self.readBaseline(baselinePath)
    }
    if updateBaseline, audit.baseline == nil {
      throw AuditError("There is no baseline to update: name it with --baseline.")
    }
    if updateBaseline, !scope.paths.isEmpty {
      throw AuditError("A baseline is updated by an audit of the whole project.")
    }
    if container.isEmpty, !(typed.canary.isEmpty && typed.canaries == nil) {
      throw AuditError("Canaries are looked for in a container: name it with --container.")
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
        throw AuditError("There is no finding \(number); there are \(report.findings.count).")
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
      throw AuditError("There is no baseline \(path). Write one with --write-baseline \(path).")
    }
    return try Baseline(json: data, path: path)
  }
}
