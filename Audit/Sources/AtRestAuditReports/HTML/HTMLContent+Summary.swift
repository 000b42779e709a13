import AtRestAuditModel

extension HTMLContent {
  var summary: String {
    var output = "<ul class=\"counts\">\n"
    for severity in Severity.allCases.reversed() {
      let count = report.findings.count { $0.severity == severity }
      output += "<li class=\"\(severity.rawValue)\"><b>\(Display.grouped(count))</b> "
      output += "\(severity.rawValue)</li>\n"
    }
    let verdict = Verdict(report, lines)
    output += "</ul>\n"
    if !report.findings.isEmpty {
      output += "<p class=\"verdict\">\(XMLText.escaped(verdict.worst))</p>\n"
    }
    output += "<p>\(report.scope).</p>\n"
    if !report.containers.isEmpty {
      let items = report.containers.map { "<li>\(XMLText.escaped($0.overview)).</li>\n" }
      output += "<ul class=\"containers\">\n\(items.joined())</ul>\n"
    }
    guard !report.findings.isEmpty else {
      return output + "<p class=\"verdict\">Nothing found. \(XMLText.escaped(verdict.worst))</p>"
    }
    return output
      + (lines.reveal
        ? "<p class=\"warning\"><b>This page shows secrets unmasked.</b></p>"
        : "<p class=\"soft\">Secrets are shown as their first two characters and length."
          + (report.repository.map { " Links lead to commit \($0.commit.prefix(10))." } ?? "")
          + "</p>")
  }

  var rulesTable: String {
    let counts = Dictionary(grouping: report.findings, by: \.rule)
    guard !counts.isEmpty else { return "" }
    var output = """
      <table>
      <thead><tr><th scope="col">Rule</th><th scope="col">Severity</th>\
      <th scope="col" class="number">Findings</th></tr></thead><tbody>

      """
    let order = counts.map { (id: $0, findings: $1, worst: $1.map(\.severity).max() ?? .note) }
      .sorted {
        ($1.worst, $1.findings.count, $0.id) < ($0.worst, $0.findings.count, $1.id)
      }
    for (id, findings, severity) in order {
      let worst = severity.rawValue
      let rule = XMLText.escaped(id.rawValue)
      output += "<tr><th scope=\"row\"><a href=\"#rule-\(rule)\">\(rule)</a> "
      output += "<span class=\"soft\">\(XMLText.escaped(index[id]?.title ?? ""))</span></th>"
      output += "<td><span class=\"severity \(worst)\">\(worst)</span></td>"
      output += "<td class=\"number\"><a href=\"#rule=\(rule)\" aria-label=\""
      output += "\(Display.count(findings.count, "finding")) of \(rule)\">"
      output += "\(Display.grouped(findings.count))</a></td></tr>\n"
    }
    return output + "</tbody></table>\n"
  }
}
