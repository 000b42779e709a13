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
        <h3><span class="severity \(severity)">\(severity)</span> \(name)</h3>
        <div class="sides"><div>
        <p class="side">\(joined.slot.verb.capitalized) by the code</p>

        """
      for finding in joined.code { output += article(finding, numbers[finding] ?? 0) }
      // A finding shows the code that it is about, so this code is not shown again.
      let shown = Set(joined.code.map(\.location))
      for write in joined.writes.filter({ !shown.contains($0) }).prefix(Self.writeLimit) {
        output +=
          "<p class=\"place\"><code>\(Self.shown(write.path)):\(write.start.line)</code></p>\n"
        if let frame = lines.frame(write) { output += Self.html(frame) }
      }
      output += "</div><div>\n<p class=\"side\">Found in the container</p>\n"
      output += articles(joined.found)
      return output + "</div></div></section>\n"
    }.joined()
  }

  /// The number of findings of a group that are open when the page opens.
  static let examples = 3

  /// The first findings, and the others in a part that opens.
  func articles(_ findings: some Collection<Finding>) -> String {
    func html(_ findings: some Collection<Finding>) -> String {
      findings.map { article($0, numbers[$0] ?? 0) }.joined()
    }
    let rest = findings.dropFirst(Self.examples)
    guard !rest.isEmpty else { return html(findings) }
    return html(findings.prefix(Self.examples))
      + "<details class=\"more\"><summary>\(Display.grouped(rest.count)) more</summary>\n"
      + "\(html(rest))</details>\n"
  }
}
