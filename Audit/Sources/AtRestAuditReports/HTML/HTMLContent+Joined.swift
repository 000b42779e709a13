import AtRestAuditModel
import AtRestFormats

extension HTMLContent {
  /// The maximum number of places in the code that are shown for a joined finding.
  private static let writeLimit = 10

  /// The findings in containers together with the code that stores their values.
  var joined: String {
    report.joined.map { joined in
      let name = Self.shown(lines.masked(joined.slot.text, of: joined.found[0]))
      let severity = joined.severity.rawValue
      var output = """
        <section class="group joined">
        <h3><span class="severity \(severity)">\(severity)</span> \(name.prefix(1).uppercased() + name.dropFirst())</h3>
        \(advice((joined.code.first ?? joined.found[0]).rule))<div class="sides"><div>
        <p class="side">\(joined.slot.verb.capitalized) by the code</p>

        """
      for finding in joined.code { output += article(finding, numbers[finding] ?? 0) }
      // A finding shows the code that it is about, so this code is not shown again.
      let others = joined.writes.filter { write in
        !joined.code.contains { $0.location.path == write.path && $0.location.holds(write.start) }
      }
      for write in others.prefix(Self.writeLimit) {
        let place = "\(Display.safe(write.path)):\(write.start.line)"
        output += "<p class=\"place\">\(linked(place, lines.link(to: write)))</p>\n"
        if let frame = lines.frame(write) { output += Self.html(frame) }
      }
      output += "</div><div>\n<p class=\"side\">Found in the container</p>\n"
      output += articles(joined.found)
      return output + "</div></div></section>\n"
    }.joined()
  }

  /// The first findings, and the others in a part that opens.
  func articles(_ findings: some Collection<Finding>) -> String {
    func html(_ findings: some Collection<Finding>) -> String {
      findings.map { article($0, numbers[$0] ?? 0) }.joined()
    }
    let rest = findings.dropFirst(FindingGroup.examples)
    return "<div>\(html(findings.prefix(FindingGroup.examples)))</div>\n"
      + (rest.isEmpty
        ? ""
        : "<details class=\"more\"><summary>\(Display.grouped(rest.count)) more</summary>\n"
          + "\(html(rest))</details>\n")
  }
}

extension Location {
  /// Returns true if a position is on one of the lines of this location.
  fileprivate func holds(_ position: Position) -> Bool {
    (start.line...max(start.line, end.line)).contains(position.line)
  }
}
