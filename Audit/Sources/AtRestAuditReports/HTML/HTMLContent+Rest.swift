import AtRestAuditModel
import AtRestFormats

extension HTMLContent {
  var explanations: String {
    var output = ""
    for rule in rules {
      output += """
        <details id="rule-\(XMLText.escaped(rule.id.rawValue))">
        <summary>\(XMLText.escaped(rule.id.rawValue)): \(XMLText.escaped(rule.title))</summary>
        <p>\(XMLText.escaped(rule.consequence))</p>
        <p><b>Fix:</b> \(XMLText.escaped(rule.remedy))</p>

        """
      for (title, example) in [("Bad", rule.bad), ("Good", rule.good)] {
        output += "<p>\(title), <code>\(XMLText.escaped(example.file))</code>:</p>"
        output += "<pre class=\"example\">\(lineByLine(example.text))</pre>\n"
      }
      let links = rule.references.links.map {
        "<a href=\"\($0.url)\" rel=\"noreferrer\">\(XMLText.escaped($0.name))</a>"
      }
      if !links.isEmpty { output += "<p>See \(links.joined(separator: ", ")).</p>\n" }
      output += "</details>\n"
    }
    return output
  }

  private func lineByLine(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      XMLText.escaped(String($0))
    }.joined(separator: "\n")
  }

  var rest: String {
    func place(_ path: String, _ line: Int?) -> String {
      "<code>\(Self.shown(path))\(line.map { ":\($0)" } ?? "")</code>"
    }
    func described(_ finding: Finding) -> String {
      "<code>\(XMLText.escaped(lines.placeWithPath(of: finding)))</code> "
        + Self.shown(lines.masked(finding.message, of: finding))
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
    var output = list(
      "Not read", report.skipped.map { "\(place($0.path, $0.line)) \(Self.shown($0.reason))" },
      isOpen: true)
    output += list(
      "Comments that suppress nothing",
      report.unusedSuppressions.map { "\(place($0.path, $0.line)) \(Self.shown($0.why))" })
    output += list(
      "Suppressed by comments",
      report.suppressed.map {
        "\(described($0.finding)) <b>\(XMLText.escaped($0.finding.rule.rawValue))</b>: "
          + Self.shown($0.reason)
      })
    output += list("In the baseline", report.known.map(described))
    output += list(
      "Fixed since the baseline",
      report.mended.map { "\(place($0.path, nil)) \(XMLText.escaped($0.rule.rawValue))" })
    output += list("Left out on purpose", report.leftOutByReason.map { XMLText.escaped($0) })
    return output
  }

  var checklist: String {
    guard !report.checklist.isEmpty else { return "" }
    let items = report.checklist.map {
      "<dt>\(XMLText.escaped($0.question))</dt>"
        + "<dd>\(Self.shown($0.answer ?? "Not answered."))</dd>\n"
    }
    return "<dl>\n\(items.joined())</dl>\n"
  }
}
