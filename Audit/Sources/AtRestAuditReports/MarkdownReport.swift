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
    let lines = SourceLines(report.bounded, reveal: reveal)
    let report = lines.report
    let rules = RuleIndex(rules)
    let foot = foot(of: report)
    let verdict = Verdict(report, lines)
    var output = "### AtRest audit: "
    output +=
      report.findings.isEmpty
      ? "nothing found. \(verdict.worst)\n\n"
      : "\(Display.count(report.findings.count, "finding")) "
        + "(\(report.severities(of: report.findings)))\n\n\(Self.escaped(verdict.worst))\n\n"
    // Sizes are counted in UTF-16 code units, as GitHub does.
    var size = output.utf16.count + foot.utf16.count + 200
    for line in canaries(of: report, lines) {
      guard size + line.utf16.count <= Self.limit / 4 else { break }
      size += line.utf16.count
      output += line
    }
    for joined in report.joined {
      let piece = text(of: joined, rules[(joined.code.first ?? joined.found[0]).rule], lines)
      guard size + piece.utf16.count <= Self.limit / 2 else { break }
      size += piece.utf16.count
      output += piece
    }
    var left = report.groups.reduce(0) { $0 + $1.findings.count }
    for group in report.groups {
      let piece = text(of: group, rules[group.rule], lines)
      size += piece.utf16.count
      guard size <= Self.limit else {
        output += "… and \(Display.count(left, "more finding")).\n\n"
        break
      }
      left -= group.findings.count
      output += piece
    }
    return output + foot
  }

  /// The findings of one problem: the first in the summary, and up to three in full.
  private func text(of group: FindingGroup, _ rule: Rule?, _ lines: SourceLines) -> String {
    let first = group.first
    let count = group.findings.count
    var output = "<details><summary><b>\(group.severity.rawValue)</b> "
    output += "\(place(of: first, lines)) "
    let message = Display.safe(lines.masked(first.message, of: first))
    output += Self.escaped(Display.cut(message, 1000))
    if count > 1 { output += " (\(Display.count(count, "finding")))" }
    output += "</summary>\n\n"
    for (index, finding) in group.findings.prefix(FindingGroup.examples).enumerated() {
      output += text(of: finding, lines, isNamed: index > 0)
    }
    if !group.rest.isEmpty {
      output += "… and \(Display.count(group.rest.count, "more finding")) of this kind.\n\n"
    }
    output += "Rule <code>\(XMLText.escaped(group.rule.rawValue))</code>"
    if let rule {
      output += ". \(rule.consequence) **Fix:** \(rule.remedy)"
      let links = rule.references.links.map { "[\($0.name)](\($0.url))" }
      if !links.isEmpty { output += " See \(links.joined(separator: ", "))." }
    }
    return output + "\n\n</details>\n\n"
  }

  /// - Parameter isNamed: True to begin with the place and the message.
  private func text(of finding: Finding, _ lines: SourceLines, isNamed: Bool) -> String {
    var output = ""
    if isNamed {
      let message = Display.safe(lines.masked(finding.message, of: finding))
      output += "\(place(of: finding, lines)) \(Self.escaped(Display.cut(message, 1000)))\n\n"
    }
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
    for reason in lines.reasons(for: finding) {
      output += "- \(reason.label) \(Self.escaped(reason.text))\n"
    }
    return finding.trail.isEmpty && finding.basis == nil && finding.places.isEmpty
      ? output : output + "\n"
  }

  /// The place of a finding, with a link to the code if the repository is known.
  private func place(of finding: Finding, _ lines: SourceLines) -> String {
    let name =
      finding.exhibit == nil
      ? "\(finding.location.path):\(finding.location.start.line)"
      : lines.placeWithPath(of: finding)
    let code = "<code>\(XMLText.escaped(Display.cut(Display.safe(name), 300)))</code>"
    guard let link = lines.link(to: finding) else { return code }
    return "<a href=\"\(link)\">\(code)</a>"
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

  /// One line that names both sides, and the fix.
  private func text(of joined: JoinedFinding, _ rule: Rule?, _ lines: SourceLines) -> String {
    func code(_ text: String) -> String {
      "<code>\(XMLText.escaped(Display.cut(Display.safe(text), 300)))</code>"
    }
    let writes = joined.writes.prefix(3).map { code("\($0.path):\($0.start.line)") }
    let slot = Display.safe(lines.masked(joined.slot.text, of: joined.found[0]))
    return "- <b>\(joined.severity.rawValue)</b> \(Self.escaped(slot)): \(joined.slot.verb) at "
      + "\(writes.joined(separator: ", ")), found in "
      + "\(code(lines.placeWithPath(of: joined.found[0])))."
      + (rule.map { " **Fix:** \($0.remedy)" } ?? "") + "\n\n"
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
    if !left.isEmpty { parts.append("Left out on purpose: \(left.joined(separator: ", ")).") }
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
