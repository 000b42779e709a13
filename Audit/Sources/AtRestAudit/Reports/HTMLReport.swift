/// The report as one page that needs nothing else: no request leaves it.
public struct HTMLReport: Sendable {
  public var reveal = false

  public init(reveal: Bool = false) { self.reveal = reveal }

  public func text(of report: AuditReport, rules: [Rule]) -> String {
    let report = report.bounded
    let index = RuleIndex(rules)
    let lines = SourceLines(report, reveal: reveal)
    let name = XMLText.escaped(Display.safe(report.tree.name))
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(HTMLPage.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>AtRest audit of \(name)</title>
      <style>\(HTMLPage.style)</style>
      </head>
      <body>
      <a class="skip" href="#findings">To the findings</a>
      <header>
      <h1>AtRest audit of \(name)</h1>
      \(summary(of: report, index))
      </header>
      <main>
      \(filters(of: report))
      <section id="findings" aria-label="Findings">
      \(findings(of: report, index, lines))
      </section>
      \(explanations(of: report, rules))
      \(rest(of: report, lines))
      </main>
      <script>\(HTMLPage.script)</script>
      </body>
      </html>

      """
  }

  // MARK: Summary

  private func summary(of report: AuditReport, _ rules: RuleIndex) -> String {
    var output = "<ul class=\"counts\">\n"
    for severity in Severity.allCases.reversed() {
      let count = report.findings.count { $0.severity == severity }
      output += "<li class=\"\(severity.rawValue)\"><b>\(Display.grouped(count))</b> "
      output += "\(severity.rawValue)</li>\n"
    }
    output += "</ul>\n<p>\(report.scope).</p>\n"
    let counts = Dictionary(grouping: report.findings, by: \.rule)
    guard !counts.isEmpty else { return output + "<p>Nothing found.</p>\n" }
    output += """
      <details open><summary>By rule</summary><div class="wide"><table>
      <thead><tr><th scope="col">Rule</th><th scope="col">What</th>\
      <th scope="col">Severity</th><th scope="col">Findings</th></tr></thead><tbody>

      """
    let order = counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    for (id, findings) in order {
      let worst = findings.map(\.severity).max() ?? .note
      let rule = XMLText.escaped(id)
      output += "<tr><th scope=\"row\"><a href=\"#rule-\(rule)\">\(rule)</a></th>"
      output += "<td>\(XMLText.escaped(rules[id]?.title ?? ""))</td>"
      output += "<td><span class=\"severity \(worst.rawValue)\">\(worst.rawValue)</span></td>"
      output += "<td class=\"number\">\(Display.grouped(findings.count))</td></tr>\n"
    }
    return output + "</tbody></table></div></details>\n"
  }

  private func filters(of report: AuditReport) -> String {
    guard !report.findings.isEmpty else { return "" }
    var output = """
      <form class="filters" role="search" aria-label="Filter findings">
      <label>Search <input type="search" id="search" autocomplete="off" \
      aria-keyshortcuts="/" placeholder="path, text, rule"></label>
      <label>Rule <select id="rule"><option value="">all</option>

      """
    for rule in Set(report.findings.map(\.rule)).sorted() {
      output += "<option>\(XMLText.escaped(rule))</option>\n"
    }
    output += "</select></label>\n<fieldset><legend>Severity</legend>\n"
    for severity in Severity.allCases.reversed()
    where report.findings.contains(where: { $0.severity == severity }) {
      output += "<label><input type=\"checkbox\" name=\"severity\" "
      output += "value=\"\(severity.rawValue)\" checked> \(severity.rawValue)</label>\n"
    }
    return output + """
      </fieldset>
      <fieldset><legend>Group by</legend>
      <label><input type="radio" name="group" value="path" checked> file</label>
      <label><input type="radio" name="group" value="rule"> rule</label>
      </fieldset>
      <output id="shown" aria-live="polite">\(Display.count(report.findings.count, "finding"))\
      </output>
      <p class="keys">Keys: <kbd>/</kbd> search, <kbd>j</kbd> next, <kbd>k</kbd> previous.</p>
      </form>

      """
  }

  // MARK: Findings

  private func findings(
    of report: AuditReport, _ rules: RuleIndex, _ lines: SourceLines
  ) -> String {
    var output = ""
    var path: String?
    for (number, finding) in report.findings.enumerated() {
      if finding.location.path != path {
        if path != nil { output += "</section>\n" }
        path = finding.location.path
        output += "<section class=\"group\"><h2>\(shown(finding.location.path))</h2>\n"
      }
      output += article(finding, number + 1, lines)
    }
    return path == nil ? output : output + "</section>\n"
  }

  private func article(_ finding: Finding, _ number: Int, _ lines: SourceLines) -> String {
    let path = shown(finding.location.path)
    let rule = XMLText.escaped(finding.rule)
    let start = finding.location.start
    var output = """
      <article id="f\(number)" tabindex="-1" data-rule="\(rule)" \
      data-severity="\(finding.severity.rawValue)" data-path="\(path)">
      <h3><span class="severity \(finding.severity.rawValue)">\(finding.severity.rawValue)</span> \
      \(shown(lines.masked(finding.message, of: finding)))</h3>
      <p class="place"><code>\(path):\(start.line):\(start.column)</code> · \
      <a href="#rule-\(rule)">\(rule)</a> · <a href="#f\(number)">#\(number)</a></p>

      """
    if let frame = lines.frame(finding.location) { output += html(frame) }
    if !finding.trail.isEmpty {
      output += "<ol class=\"trail\" aria-label=\"Where the value comes from\">\n"
      for step in finding.trail {
        let place = "\(step.location.path):\(step.location.start.line)"
        output += "<li><code>\(shown(place))</code> "
        output += "\(shown(lines.masked(step.message, of: finding)))</li>\n"
      }
      output += "</ol>\n"
    }
    return output + "</article>\n"
  }

  private func html(_ frame: CodeFrame) -> String {
    var output = "<pre tabindex=\"0\" aria-label=\"Code\">"
    for line in frame.lines {
      output += "<span class=\"line\" data-number=\"\(line.number)\">"
      if let mark = line.mark, mark.lowerBound < line.text.unicodeScalars.count {
        let scalars = line.text.unicodeScalars
        func part(_ scalars: some Sequence<Unicode.Scalar>) -> String {
          var text = String.UnicodeScalarView()
          text.append(contentsOf: scalars)
          return XMLText.escaped(String(text))
        }
        output += part(scalars.prefix(mark.lowerBound))
        output += "<mark>\(part(scalars.dropFirst(mark.lowerBound).prefix(mark.count)))</mark>"
        output += part(scalars.dropFirst(mark.upperBound))
      } else {
        output += XMLText.escaped(line.text)
      }
      output += "</span>\n"
    }
    return output + "</pre>\n"
  }

  // MARK: Rules and the rest

  private func explanations(of report: AuditReport, _ rules: [Rule]) -> String {
    let used = Set(report.findings.map(\.rule))
    let rules = rules.filter { used.contains($0.id) }
    guard !rules.isEmpty else { return "" }
    var output = "<section class=\"rules\" aria-labelledby=\"rules\"><h2 id=\"rules\">Rules</h2>\n"
    for rule in rules {
      output += """
        <details id="rule-\(XMLText.escaped(rule.id))">
        <summary>\(XMLText.escaped(rule.id)): \(XMLText.escaped(rule.title))</summary>
        <p>\(XMLText.escaped(rule.consequence))</p>
        <p><b>Mend:</b> \(XMLText.escaped(rule.remedy))</p>

        """
      for (title, example) in [("Bad", rule.bad), ("Good", rule.good)] {
        output += "<p>\(title), <code>\(XMLText.escaped(example.file))</code>:</p>"
        output += "<pre tabindex=\"0\">\(lineByLine(example.text))</pre>\n"
      }
      let links = rule.references.links.map {
        "<a href=\"\($0.url)\" rel=\"noreferrer\">\(XMLText.escaped($0.name))</a>"
      }
      if !links.isEmpty { output += "<p>See \(links.joined(separator: ", ")).</p>\n" }
      output += "</details>\n"
    }
    return output + "</section>\n"
  }

  private func lineByLine(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      XMLText.escaped(String($0))
    }.joined(separator: "\n")
  }

  private func rest(of report: AuditReport, _ lines: SourceLines) -> String {
    func place(_ path: String, _ line: Int?) -> String {
      "<code>\(shown(path))\(line.map { ":\($0)" } ?? "")</code>"
    }
    func list(_ title: String, _ items: [String], isOpen: Bool = false) -> String {
      guard !items.isEmpty else { return "" }
      let rows = items.map { "<li>\($0)</li>\n" }.joined()
      return """
        <details\(isOpen ? " open" : "")><summary>\(title) (\(Display.grouped(items.count)))\
        </summary><ul>
        \(rows)</ul></details>

        """
    }
    var output = "<section aria-labelledby=\"rest\"><h2 id=\"rest\">Beside the findings</h2>\n"
    output += list(
      "Not read", report.skipped.map { "\(place($0.path, $0.line)) \(shown($0.reason))" },
      isOpen: true)
    output += list(
      "Comments that suppress nothing",
      report.unusedSuppressions.map { "\(place($0.path, $0.line)) \(shown($0.why))" })
    output += list(
      "Suppressed by comments",
      report.suppressed.map {
        let finding = $0.finding
        return "\(place(finding.location.path, finding.location.start.line)) "
          + "\(shown(lines.masked(finding.message, of: finding))) "
          + "<b>\(XMLText.escaped(finding.rule))</b>: \(shown($0.reason))"
      })
    output += list(
      "In the baseline",
      report.known.map {
        "\(place($0.location.path, $0.location.start.line)) "
          + "\(shown(lines.masked($0.message, of: $0)))"
      })
    output += list(
      "Mended since the baseline",
      report.mended.map { "\(place($0.path, nil)) \(XMLText.escaped($0.rule))" })
    output += list("Left out", report.leftOutByReason.map { XMLText.escaped($0) })
    output += list(
      "What no program can judge",
      report.checklist.map {
        "\(XMLText.escaped($0.question)) <b>\(shown($0.answer ?? "Not answered."))</b>"
      })
    return output + "</section>\n"
  }

  private func shown(_ text: String) -> String { XMLText.escaped(Display.safe(text)) }
}
