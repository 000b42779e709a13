import ArgumentParser
import AtRestAudit
import Foundation

/// Which reports a command writes, where to, and when it fails.
struct ReportOptions: ParsableArguments {
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

  @Flag(help: "Show secrets that were found as they are.")
  var reveal = false

  @Flag(name: .shortAndLong, help: "On a terminal, findings alone and no summary.")
  var quiet = false

  func validate() throws {
    guard output.count <= max(format.count, 1) else {
      throw ValidationError("Each --output belongs to a --format; there are more of them.")
    }
    let toOutput = max(format.count, 1) - output.filter { $0 != "-" }.count
    guard toOutput <= 1 else {
      throw ValidationError("One format goes to standard output; give the others an --output.")
    }
  }

  /// Writes the reports; throws the exit code if the audit fails.
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
    // Reports for programs may leave it unread.
    if !report.skipped.isEmpty, !goesToTerminal || settings.isStrict {
      Output.note(
        "atrest-audit: \(report.skipped.count) files or parts of files could not be read.")
    }
  }

  /// The settings, and the folder that paths in them start from.
  ///
  /// - Parameter folder: Where they lie unless they are named.
  func settings(in folder: String, rules: Set<RuleID>) throws -> (Settings, String) {
    let path = config ?? folder + "/" + Settings.fileName
    var settings = Settings()
    var base = folder
    if config != nil || FileManager.default.fileExists(atPath: path) {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw AuditError("The settings \(path) cannot be read.")
      }
      guard let text = String(data: data, encoding: .utf8) else {
        throw AuditError("The settings \(path) are no UTF-8.")
      }
      settings = try Settings(yaml: text, path: config ?? Settings.fileName, rules: rules)
      base = URL(fileURLWithPath: path).deletingLastPathComponent().path
    }
    if let failOn { settings.failOn = failOn.severity }
    if strict { settings.isStrict = true }
    return (settings, base)
  }
}
