import ArgumentParser
import AtRestAudit
import Foundation

/// The formats and files of the reports, and when the command fails.
struct ReportOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .singleValue,
    help: "Format: terminal, json, sarif, junit, gitlab, markdown, html or masvs. May be repeated.")
  var format: [ReportFormat] = []

  @Option(
    name: .shortAndLong, parsing: .singleValue,
    help: "The file for the format at the same position. Without it, or with '-', standard output.",
    completion: .file())
  var output: [String] = []

  @Option(help: "The least severity that exits with 1: note, low, medium (default), high, never.")
  var failOn: FailureLimit?

  @Flag(help: "Also exit with 1 if a file could not be read.")
  var strict = false

  @Option(help: "The settings file, instead of \(Settings.fileName).", completion: .file())
  var config: String?

  @Flag(help: "Do not mask the secrets that were found.")
  var reveal = false

  @Flag(
    name: .shortAndLong, help: "On a terminal, show only findings and warnings, and no summary.")
  var quiet = false

  func validate() throws {
    guard output.count <= max(format.count, 1) else {
      throw ValidationError(
        "There are more --output than --format options. Give each --output a --format.")
    }
    let toOutput = max(format.count, 1) - output.filter { $0 != "-" }.count
    guard toOutput <= 1 else {
      throw ValidationError(
        "Only one format can be written to standard output. Give the others an --output.")
    }
  }

  /// Writes the reports, and throws the exit code if the audit fails.
  func write(_ report: AuditReport, rules: [Rule], settings: Settings) throws {
    for (index, format) in (format.isEmpty ? [.terminal] : format).enumerated() {
      let path = output.indices.contains(index) && output[index] != "-" ? output[index] : nil
      let text = format.text(
        of: report, rules: rules, settings: settings, reveal: reveal, quiet: quiet,
        colours: path == nil && Output.colours)
      if let path {
        try Output.write(Data(text.utf8), to: path)
      } else {
        try Output.write(text)
      }
    }
    let goesToTerminal = format.isEmpty || format.contains(.terminal)
    // A user may overlook the skipped files in a report that is meant for programs.
    if !report.skipped.isEmpty, !goesToTerminal || settings.isStrict {
      Output.note(
        "atrest-audit: \(report.skipped.count) files or parts of files could not be read.")
    }
  }

  /// The settings, and the folder that their paths are relative to.
  ///
  /// - Parameter folder: The folder of the settings unless `--config` names a file.
  func settings(in folder: String, rules: Set<RuleID>) throws -> (Settings, String) {
    let path = config ?? folder + "/" + Settings.fileName
    var settings = Settings()
    var base = folder
    if config != nil || FileManager.default.fileExists(atPath: path) {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw AuditError("The settings file \(path) cannot be read. Check its permissions.")
      }
      guard let text = String(data: data, encoding: .utf8) else {
        throw AuditError("The settings file \(path) is not UTF-8. Save it as UTF-8.")
      }
      settings = try Settings(yaml: text, path: config ?? Settings.fileName, rules: rules)
      base = URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
    if let failOn { settings.failOn = failOn.severity }
    if strict { settings.isStrict = true }
    return (settings, base)
  }
}
