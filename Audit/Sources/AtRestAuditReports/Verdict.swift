import AtRestAuditModel
import AtRestFormats

/// The first line of a report: how many findings there are, and which is the worst.
struct Verdict {
  private let report: AuditReport
  private let lines: SourceLines

  init(_ report: AuditReport, _ lines: SourceLines) {
    self.report = report
    self.lines = lines
  }

  /// `3 high, 5 medium`, or `Nothing found`.
  var counts: String {
    report.findings.isEmpty ? "Nothing found" : report.severities(of: report.findings)
  }

  /// The sentence after the counts: the worst finding with its place, or what was read.
  var worst: String {
    let unread = report.skipped.count
    guard let finding = worstFinding else {
      return unread == 0
        ? "All files could be read."
        : "\(Display.count(unread, "file or part", "files or parts")) could not be read."
    }
    let others = report.findings.count { $0.severity == finding.severity }
    let name = report.findings.count == 1 ? "" : others > 1 ? "One of the worst: " : "The worst: "
    if let joined = report.joined.first, joined.severity == finding.severity {
      let write = "\(Display.safe(joined.writes[0].path)):\(joined.writes[0].start.line)"
      let slot = Display.safe(lines.masked(joined.slot.text, of: joined.found[0]))
      return "\(name)\(slot), \(joined.slot.verb) at \(write), was found in "
        + "\(Display.safe(joined.found[0].location.path))."
    }
    var message = Display.safe(lines.masked(finding.message, of: finding))
    if message.hasSuffix(".") { message.removeLast() }
    return "\(name)\(Display.cut(message, 300)) (\(place(of: finding)))."
  }

  private var worstFinding: Finding? {
    guard let severity = report.findings.map(\.severity).max() else { return nil }
    return report.findings.first { $0.severity == severity }
  }

  private func place(of finding: Finding) -> String {
    finding.exhibit == nil
      ? "\(Display.safe(finding.location.path)):\(finding.location.start.line)"
      : Display.cut(lines.placeWithPath(of: finding), 300)
  }
}
