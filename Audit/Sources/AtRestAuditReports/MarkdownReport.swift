import AtRestAuditModel
import AtRestFormats

/// The report as a comment on a pull request, within the number of characters that GitHub accepts.
public struct MarkdownReport: Sendable {
  /// The maximum number of characters in a comment.
  public static let limit = 65_536

  public var reveal = false

  /// Creates the writer of the report. Secrets are masked unless `reveal` is true.
  public init(reveal: Bool = false) { self.reveal = reveal }

  public func text(of report: AuditReport, rules: [Rule]) -> String {
    let report = report.bounded
    let rules = RuleIndex(rules)
    let lines = SourceLines(report, reveal: reveal)
    let foot = foot(of: report)
    var output = "### AtRest audit: "
    output +=
      report.findings.isEmpty
      ? "nothing found\n\n"
      : "\(Display.count(report.findings.count, "finding")) "
        + "(\(report.severities(of: report.findings)))\n\n"
    // Sizes are counted in UTF-16 code units, as GitHub does.
    var size = output.utf16.count + foot.utf16.count + 200
    let findings = report.findings.sorted {
      ($1.severity, $0.location) < ($0.severity, $1.location)
    }
    for line in canaries(of: report, lines) {
      guard size + line.utf16.count <= Self.limit / 4 else { break }
      size += line.utf16.count
      output += line
    }
    for joined in report.joined {
      let piece = text(of: joined, lines)
      guard size + piece.utf16.count <= Self.limit / 2 else { break }
      size += piece.utf16.count
      output += piece
    }
    for (index, finding) in findings.enumerated() {
      let piece = text(of: finding, rules[finding.rule], lines)
      size += piece.utf16.count
      guard size <= Self.limit else {
        output += "… and \(Display.count(findings.count - index, "more finding")).\n\n"
        break
      }
      output += piece
    }
    return output + foot
  }

  private func text(of finding: Finding, _ rule: Rule?, _ lines: SourceLines) -> String {
    let place =
      finding.exhibit == nil
      ? "\(finding.location.path):\(finding.location.start.line)"
      : lines.placeWithPath(of: finding)
    var output = "<details><summary><b>\(finding.severity.rawValue)</b> "
    output += "<code>\(XMLText.escaped(Display.cut(Display.safe(place), 300)))</code> "
    let message = Display.safe(lines.masked(finding.message, of: finding))
    output += "\(Self.escaped(Display.cut(message, 1000)))</summary>\n\n"
    let quoted = lines.quoted(finding)
    if !quoted.isEmpty {
      let code = quoted.joined(separator: "\n")
      // The fence must be longer than any run of backticks in the code.
      let fence = String(repeating: "`", count: max(3, Self.longestRun(of: "`", in: code) + 1))
      output += "\(fence)\n\(code)\n\(fence)\n\n"
    }
    if let circumstances = finding.exhibit?.circumstances, !circumstances.isEmpty {
      output += "Data: \(Self.escaped(circumstances)).\n\n"
    }
    for step in finding.trail.prefix(10) {
      let place = "\(step.location.path):\(step.location.start.line)"
      output += "- <code>\(XMLText.escaped(Display.safe(place)))</code> "
      output += "\(Self.escaped(Display.safe(lines.masked(step.message, of: finding))))\n"
    }
    if !finding.trail.isEmpty { output += "\n" }
    output += "Rule <code>\(XMLText.escaped(finding.rule.rawValue))</code>"
    if let rule {
      output += ". \(rule.consequence) **Fix:** \(rule.remedy)"
      let links = rule.references.links.map { "[\($0.name)](\($0.url))" }
      if !links.isEmpty { output += " See \(links.joined(separator: ", "))." }
    }
    return output + "\n\n</details>\n\n"
  }

  /// The table of canaries, line by line.
  private func canaries(of report: AuditReport, _ lines: SourceLines) -> [String] {
    guard let matrix = CanaryMatrix(report) else { return [] }
    func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
    func shown(_ text: String) -> String {
      Self.escaped(Display.cut(Display.safe(text), 300))
    }
    var output = [row(["Canary"] + matrix.containers.map(shown))]
    output[0] += row(Array(repeating: "---", count: matrix.containers.count + 1))
    for each in matrix.rows {
      let cells = each.cells.map { places in
        guard let first = places.first else { return "not found" }
        let more =
          places.count > 1 ? ", and in \(Display.count(places.count - 1, "more place"))" : ""
        return "<b>found</b> \(shown(first.circumstances)): \(shown(lines.text(of: first)))\(more)"
      }
      output.append(row([shown(each.canary)] + cells))
    }
    return output + ["\n"] + matrix.scope.map { "\(shown($0))\n\n" }
  }

  /// One line that names both sides. The findings follow in full.
  private func text(of joined: JoinedFinding, _ lines: SourceLines) -> String {
    func code(_ text: String) -> String {
      "<code>\(XMLText.escaped(Display.cut(Display.safe(text), 300)))</code>"
    }
    let writes = joined.writes.prefix(3).map { code("\($0.path):\($0.start.line)") }
    let slot = Display.safe(lines.masked(joined.slot.text, of: joined.found[0]))
    return "- <b>\(joined.severity.rawValue)</b> \(Self.escaped(slot)): \(joined.slot.verb) at "
      + "\(writes.joined(separator: ", ")), found in "
      + "\(code(lines.placeWithPath(of: joined.found[0])))\n\n"
  }

  private func foot(of report: AuditReport) -> String {
    var parts = ["\(report.scope)."] + report.containers.map { "\($0.overview)." }
    if !report.suppressed.isEmpty { parts.append("Suppressed: \(report.suppressed.count).") }
    if !report.known.isEmpty { parts.append("In the baseline: \(report.known.count).") }
    if !report.mended.isEmpty { parts.append("Fixed: \(report.mended.count).") }
    if !report.skipped.isEmpty { parts.append("Not read: \(report.skipped.count).") }
    if !report.unusedSuppressions.isEmpty {
      parts.append("Comments that suppress nothing: \(report.unusedSuppressions.count).")
    }
    let left = report.leftOutByReason
    if !left.isEmpty { parts.append("Left out: \(left.joined(separator: "; ")).") }
    return "<sub>\(XMLText.escaped(Display.cut(parts.joined(separator: " "), 2000)))</sub>\n"
  }

  /// Escapes text so that nothing in it is markup.
  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in XMLText.escaped(text).unicodeScalars {
      if "*_[]`~|!\\".unicodeScalars.contains(scalar) {
        output += "&#\(scalar.value);"
      } else if scalar == "@" {
        // A name in the code must not notify the user of that name.
        output += "@\u{2060}"
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var longest = 0
    var run = 0
    for each in text {
      run = each == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
