import AtRestAuditModel
import AtRestFormats

extension TerminalReport {
  /// The maximum number of places that are shown on either side of a joined finding.
  private static let shown = 3

  /// The findings in containers together with the code that stores their values.
  ///
  /// - Parameter advised: The rules that have been explained.
  func joined(
    of report: AuditReport, _ rules: RuleIndex, _ lines: SourceLines, _ advised: inout Set<RuleID>
  ) -> String {
    guard !report.joined.isEmpty else { return "" }
    let numbers = report.numbers
    var output = styled("Stored by the code and found in a container", .bold) + "\n\n"
    for joined in report.joined {
      let rule = (joined.code.first ?? joined.found[0]).rule
      output += text(of: joined, numbers, lines)
      if advised.insert(rule).inserted, let rule = rules[rule] { output += advice(rule) }
      output += "\n"
    }
    return output
  }

  private func text(
    of joined: JoinedFinding, _ numbers: [Finding: Int], _ lines: SourceLines
  ) -> String {
    let marks = (joined.code + joined.found).compactMap { numbers[$0] }.prefix(4).map { "[\($0)]" }
    let name = lines.masked(joined.slot.text, of: joined.found[0])
    var output = "  \(severity(joined.severity))  \(styled(Display.safe(name), .bold))  "
    output += styled(marks.joined(separator: " "), .faint) + "\n"
    for write in joined.writes.prefix(Self.shown) {
      let place = "\(Display.safe(write.path)):\(write.start.line):\(write.start.column)"
      output += "  \(joined.slot.verb) at \(styled(place, .cyan))\n" + frame(lines.frame(write))
    }
    output += more(joined.writes.count, "place", "in the code")
    for code in joined.code.prefix(Self.shown) {
      output += "    \(Display.safe(lines.masked(code.message, of: code)))\n"
    }
    for found in joined.found.prefix(Self.shown) {
      output += "  found in \(styled(lines.placeWithPath(of: found), .cyan))\n"
      output += "    \(Display.safe(lines.masked(found.message, of: found)))\n"
      output += frame(lines.exhibit(of: found))
      let circumstances = found.exhibit?.circumstances ?? ""
      if !circumstances.isEmpty { output += "    \(styled("data", .faint)) \(circumstances)\n" }
    }
    return output + more(joined.found.count, "value", "in this place")
  }

  private func more(_ count: Int, _ noun: String, _ place: String) -> String {
    count > Self.shown ? "    \(Display.count(count - Self.shown, "more " + noun)) \(place)\n" : ""
  }
}
