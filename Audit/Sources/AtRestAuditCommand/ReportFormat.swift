import ArgumentParser
import AtRestAudit

/// The format of a report.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case terminal, json, sarif, junit, gitlab, markdown, html, masvs

  func text(
    of report: AuditReport, rules: [Rule], settings: Settings, reveal: Bool, quiet: Bool,
    colours: Bool
  ) -> String {
    switch self {
    case .terminal:
      TerminalReport(colours: colours, reveal: reveal, quiet: quiet)
        .text(of: report, rules: rules)
    case .json: JSONReport(reveal: reveal).text(of: report, rules: rules)
    case .sarif: SARIFReport(reveal: reveal).text(of: report, rules: rules)
    case .junit:
      JUnitReport(failOn: settings.failOn, isStrict: settings.isStrict, reveal: reveal)
        .text(of: report, rules: rules)
    case .gitlab: GitLabReport(reveal: reveal).text(of: report, rules: rules)
    case .markdown: MarkdownReport(reveal: reveal).text(of: report, rules: rules)
    case .html: HTMLReport(reveal: reveal).text(of: report, rules: rules)
    case .masvs:
      MASVSReport(reveal: reveal, used: Set(rules.map(\.id).filter(settings.uses)))
        .text(of: report, rules: rules)
    }
  }
}
