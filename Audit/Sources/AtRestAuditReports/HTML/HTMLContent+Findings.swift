import AtRestAuditModel
import AtRestFormats

extension HTMLContent {
  /// The maximum number of groups with the reason and the fix in them. Further groups have a link
  /// to the rule, because a page with thousands of copies of the same text opens slowly.
  private static let adviceLimit = 200

  var findings: String {
    guard !report.findings.isEmpty else { return "" }
    let groups = report.groups.enumerated().map { index, group -> String in
      let count = group.findings.count
      return """
        <section class="group">
        <h3><span class="severity \(group.severity.rawValue)">\(group.severity.rawValue)</span> \
        \(XMLText.escaped(lines.place(of: group)))\
        \(count > 1 ? " <span class=\"soft\">\(Display.count(count, "finding"))</span>" : "")</h3>
        \(advice(group.rule, isLink: index >= Self.adviceLimit))\(articles(group.findings))\
        </section>

        """
    }
    return filters + "<div id=\"list\">\n\(groups.joined())</div>\n"
  }

  /// The reason why the findings of a rule matter, and the fix, in a part that opens.
  ///
  /// - Parameter isLink: True for a link to the rule instead.
  func advice(_ id: RuleID, isLink: Bool = false) -> String {
    guard let rule = index[id] else { return "" }
    let name = XMLText.escaped(id.rawValue)
    if isLink {
      return "<p class=\"advice\"><a href=\"#rule-\(name)\">Why it matters, and the fix</a></p>\n"
    }
    return """
      <details class="advice"><summary>\(XMLText.escaped(rule.title)): why it matters, and the fix\
      </summary>
      <p>\(XMLText.escaped(rule.consequence))</p>
      <p><b>Fix:</b> \(XMLText.escaped(rule.remedy)) <a href="#rule-\(name)">Examples</a></p>
      </details>

      """
  }

  /// The place of a finding, with a link to the code if the repository is known.
  private func shownPlace(of finding: Finding) -> String {
    linked(lines.placeWithPath(of: finding), lines.link(to: finding))
  }

  func linked(_ place: String, _ link: String?) -> String {
    let code = "<code>\(XMLText.escaped(place))</code>"
    guard let link else { return code }
    return "<a href=\"\(XMLText.escaped(link))\" rel=\"noreferrer\">\(code)</a>"
  }

  func article(_ finding: Finding, _ number: Int) -> String {
    let path = Self.shown(finding.location.path)
    let rule = XMLText.escaped(finding.rule.rawValue)
    let severity = finding.severity.rawValue
    var output = """
      <article id="f\(number)" tabindex="-1" data-rule="\(rule)" data-severity="\(severity)" \
      data-path="\(path)" data-place="\(Self.shown(place(of: finding)))"
      """
    if let kept = finding.exhibit?.protectionClass {
      output += " data-class=\"\(Self.shown(kept))\""
    }
    output += """
      >
      <h4><span class="severity \(severity)">\(severity)</span> \
      \(Self.shown(lines.masked(finding.message, of: finding)))</h4>
      <p class="place">\(shownPlace(of: finding)) · \
      <a href="#rule-\(rule)">\(rule)</a> · <a href="#f\(number)">#\(number)</a></p>

      """
    if let exhibit = finding.exhibit {
      if !exhibit.circumstances.isEmpty {
        output += "<p class=\"kept\">Data: \(XMLText.escaped(exhibit.circumstances))</p>\n"
      }
      if let frame = lines.exhibit(of: finding) { output += Self.html(frame) }
    } else if let frame = lines.frame(finding.location) {
      output += Self.html(frame)
    }
    if !finding.trail.isEmpty {
      output += "<ol class=\"trail\" aria-label=\"Origin of the value\">\n"
      for step in finding.trail {
        let place = "\(step.location.path):\(step.location.start.line)"
        output += "<li><code>\(Self.shown(place))</code> "
        output += "\(Self.shown(lines.masked(step.message, of: finding)))</li>\n"
      }
      output += "</ol>\n"
    }
    for reason in lines.reasons(for: finding) {
      output += "<p class=\"kept\">\(reason.label): \(Self.shown(reason.text))</p>\n"
    }
    return output + "</article>\n"
  }

  /// Long lines wrap instead of scrolling, so that thousands of frames do not become tab stops.
  static func html(_ frame: CodeFrame) -> String {
    var output = "<pre class=\"code\">"
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
      output += "</span>"
    }
    return output + "</pre>\n"
  }

  private static func html(_ frame: ExhibitFrame) -> String {
    switch frame {
    case .text(let lines):
      let html = lines.map { pieces in
        let text = pieces.map { marked($0.text, $0.isSecret) }.joined()
        return "<span class=\"line\">\(text)</span>"
      }
      return "<pre class=\"text\">\(html.joined())</pre>\n"
    case .hex(let rows):
      return "<pre class=\"hex\">\(rows.map(html).joined())</pre>\n"
    }
  }

  /// A row wraps only between its parts, because the spaces within a part do not break. Each row is
  /// one element, because a page can have many rows.
  private static func html(_ row: ExhibitFrame.Row) -> String {
    let blank = "\u{A0}"
    func half(_ bytes: ArraySlice<ExhibitFrame.Byte>) -> String {
      marked(bytes, \.digits, blank)
        + String(repeating: blank, count: 24 - max(bytes.count * 3, 1))
    }
    let characters = marked(row.bytes[...], { $0.character == " " ? blank : $0.character }, "")
    return "<span>\(row.place)  \(half(row.bytes.prefix(8)))  \(half(row.bytes.dropFirst(8)))  "
      + "\(characters)</span>"
  }

  private static func marked(_ text: String, _ isSecret: Bool) -> String {
    isSecret ? "<mark>\(XMLText.escaped(text))</mark>" : XMLText.escaped(text)
  }

  /// Consecutive secret bytes share one mark.
  private static func marked(
    _ bytes: ArraySlice<ExhibitFrame.Byte>, _ text: (ExhibitFrame.Byte) -> String,
    _ separator: String
  ) -> String {
    bytes.runs.map { run in
      marked(run.map(text).joined(separator: separator), run.first?.isSecret == true)
    }.joined(separator: separator)
  }
}

extension ArraySlice<ExhibitFrame.Byte> {
  /// Runs of secret bytes and runs of other bytes.
  fileprivate var runs: [Self] {
    var runs: [Self] = []
    var start = startIndex
    while start < endIndex {
      let isSecret = self[start].isSecret
      let end = self[start...].firstIndex { $0.isSecret != isSecret } ?? endIndex
      runs.append(self[start..<end])
      start = end
    }
    return runs
  }
}
