import AtRestAuditModel

extension HTMLContent {
  var summary: String {
    var output = "<ul class=\"counts\">\n"
    for severity in Severity.allCases.reversed() {
      let count = report.findings.count { $0.severity == severity }
      output += "<li class=\"\(severity.rawValue)\"><b>\(Display.grouped(count))</b> "
      output += "\(severity.rawValue)</li>\n"
    }
    output += "</ul>\n<p>\(report.scope).</p>\n"
    if !report.containers.isEmpty {
      let items = report.containers.map { "<li>\(XMLText.escaped($0.overview)).</li>\n" }
      output += "<ul class=\"containers\">\n\(items.joined())</ul>\n"
    }
    guard !report.findings.isEmpty else { return output + "<p>Nothing found.</p>" }
    return output
      + (lines.reveal
        ? "<p class=\"warning\"><b>This page shows secrets unmasked.</b></p>"
        : "<p class=\"soft\">Secrets are shown as their first two characters and length.</p>")
  }

  var rulesTable: String {
    let counts = Dictionary(grouping: report.findings, by: \.rule)
    guard !counts.isEmpty else { return "" }
    var output = """
      <table>
      <thead><tr><th scope="col">Rule</th><th scope="col">Severity</th>\
      <th scope="col" class="number">Findings</th></tr></thead><tbody>

      """
    let order = counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    for (id, findings) in order {
      let worst = (findings.map(\.severity).max() ?? .note).rawValue
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
