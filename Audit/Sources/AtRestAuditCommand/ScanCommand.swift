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

  @Option(
    name: .shortAndLong, parsing: .singleValue,
    help: "terminal, json, sarif, junit, gitlab, markdown or html. May be repeated.")
  var format: [ReportFormat] = []

  @Option(
    name: .shortAndLong, parsing: .singleValue,
    help: "A file for the format given at the same place; standard output without, and for '-'.",
    completion: .file())
  var output: [String] = []

  @Option(help: "The least severity that ends with 1: note, low, medium (default), high, never.")
  var failOn: FailureLimit?

  @Flag(help: "End with 1 too if something could not be read.")
  var strict = false

  @Option(help: "Settings, instead of \(Settings.fileName).", completion: .file())
  var config: String?

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

  @Flag(help: "Show secrets that were found in code as they are.")
  var reveal = false

  @Flag(name: .shortAndLong, help: "On a terminal, findings alone and no summary.")
  var quiet = false

  private var engine: AuditEngine { .standard }

  func validate() throws {
    guard output.count <= max(format.count, 1) else {
      throw ValidationError("Each --output belongs to a --format; there are more of them.")
    }
    let toOutput = max(format.count, 1) - output.filter { $0 != "-" }.count
    guard toOutput <= 1 else {
      throw ValidationError("One format goes to standard output; give the others an --output.")
    }
    if writeBaseline != nil, updateBaseline {
      throw ValidationError("--write-baseline and --update-baseline exclude each other.")
    }
    if writeBaseline != nil || updateBaseline, changedSince != nil || !rules.isEmpty {
      throw ValidationError("A baseline is made of all findings of all files.")
    }
  }

  func run() throws {
    let ids = Set(engine.rules.map(\.id))
    if let explain, Int(explain) == nil {
      return try Output.write(
        RuleText(colours: Output.colours).text(of: RulesCommand.rule(explain, in: engine.rules)))
    }
    for rule in rules { _ = try RulesCommand.rule(rule, in: engine.rules) }

    let scope = try ScanScope(paths)
    var (settings, base) = try readSettings(scope, rules: ids)
    if let failOn { settings.failOn = failOn.severity }
    if strict { settings.isStrict = true }
    if includeVendored { settings.includesVendored = true }
    if includeGenerated { settings.includesGenerated = true }
    if includeTests { settings.includesTests = true }
    settings.onlyRules = Set(rules)
    settings.advisories = advisories ?? settings.advisories.map { ScanScope.path($0, in: base) }
    if let advisories = settings.advisories, !FileManager.default.fileExists(atPath: advisories) {
      throw AuditError("There are no advisories at \(advisories).")
    }
    let baselinePath = baseline ?? settings.baseline.map { ScanScope.path($0, in: base) }

    var audit = Audit(tree: SourceTree(folder: scope.folder), settings: settings, engine: engine)
    audit.paths = scope.paths
    audit.changedSince = changedSince
    if writeBaseline == nil, let baselinePath { audit.baseline = try readBaseline(baselinePath) }
    if updateBaseline, audit.baseline == nil {
      throw AuditError("There is no baseline to update: name it with --baseline.")
    }
    if updateBaseline, !scope.paths.isEmpty {
      throw AuditError("A baseline is updated by an audit of the whole project.")
    }
    let report = try audit.run()
    try finish(report, settings, baselinePath)
  }

  private func finish(
    _ report: AuditReport, _ settings: Settings, _ baselinePath: String?
  ) throws {
    if let number = explain.flatMap({ Int($0) }) {
      let terminal = TerminalReport(colours: Output.colours, reveal: reveal)
      guard let text = terminal.explanation(of: number, in: report, rules: engine.rules) else {
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
    for (index, format) in (format.isEmpty ? [.terminal] : format).enumerated() {
      let path = output.indices.contains(index) && output[index] != "-" ? output[index] : nil
      let text = format.text(
        of: report, rules: engine.rules, settings: settings, reveal: reveal, quiet: quiet,
        colours: path == nil && Output.colours)
      if let path {
        try Output.write(Data(text.utf8), to: path)
      } else {
        try Output.write(text)
      }
    }
    if updateBaseline, let baselinePath {
      let updated = try readBaseline(baselinePath).updated(by: report)
      try Output.write(updated.json, to: baselinePath)
    }
    note(report, settings)
    if report.fails(settings) { throw ExitCode(ExitStatus.findings.rawValue) }
  }

  /// Says on standard error what a report for programs may leave unread.
  private func note(_ report: AuditReport, _ settings: Settings) {
    let goesToTerminal = format.isEmpty || format.contains(.terminal)
    if !report.skipped.isEmpty, !goesToTerminal || settings.isStrict {
      Output.note(
        "atrest-audit: \(report.skipped.count) files or parts of files could not be read.")
    }
  }

  /// The settings, and the folder that paths in them start from.
  private func readSettings(
    _ scope: ScanScope, rules: Set<String>
  ) throws -> (Settings, String) {
    let path = config ?? scope.folder + "/" + Settings.fileName
    guard config != nil || FileManager.default.fileExists(atPath: path) else {
      return (Settings(), scope.folder)
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw AuditError("The settings \(path) cannot be read.")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw AuditError("The settings \(path) are no UTF-8.")
    }
    let settings = try Settings(
      yaml: text, path: config ?? Settings.fileName, rules: rules)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return (settings, folder)
  }

  private func readBaseline(_ path: String) throws -> Baseline {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw AuditError("There is no baseline \(path). Write one with --write-baseline \(path).")
    }
    return try Baseline(json: data, path: path)
  }
}
