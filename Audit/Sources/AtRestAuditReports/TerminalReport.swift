import AtRestAuditModel
import AtRestFormats
import Foundation

/// The report as text for a terminal.
public struct TerminalReport: Sendable {
  /// True if escape sequences colour the text.
  public var colours = false
  /// True if secrets in code are shown unmasked.
  public var reveal = false
  /// True if only findings are written, without a summary.
  public var quiet = false

  /// Creates the writer of the report. Secrets are masked unless `reveal` is true.
  public init(colours: Bool = false, reveal: Bool = false, quiet: Bool = false) {
    self.colours = colours
    self.reveal = reveal
    self.quiet = quiet
  }

  enum Style: String {
    case bold = "1"
    case faint = "2"
    case red = "31"
    case yellow = "33"
    case blue = "34"
    case cyan = "36"
  }

  public func text(of report: AuditReport, rules: [Rule]) -> String {
    let lines = SourceLines(report.bounded, reveal: reveal)
    let report = lines.report
    let rules = RuleIndex(rules)
    let verdict = Verdict(report, lines)
    var output = quiet ? "" : styled(verdict.counts + ".", .bold) + " \(verdict.worst)\n\n"
    // Each rule is explained once, at its first finding.
    var advised: Set<RuleID> = []
    output += joined(of: report, rules, lines, &advised) + canaries(of: report, lines)
    let numbers = report.numbers
    var head: String?
    for group in report.groups {
      let place = lines.place(of: group)
      if place != head { output += styled(place, .bold) + "\n\n" }
      head = place
      for finding in group.findings.prefix(FindingGroup.examples) {
        let isFirst = advised.insert(finding.rule).inserted
        output += text(
          of: finding, number: numbers[finding] ?? 0, isFirst ? rules : RuleIndex([]), lines)
      }
      output += more(in: group)
    }
    return output + (quiet ? warnings(of: report) : summary(of: report))
  }

  /// The maximum number of lines of further findings that are named.
  private static let lineLimit = 10

  /// Returns a line about the findings of a group that are not shown, or nothing.
  private func more(in group: FindingGroup) -> String {
    guard !group.rest.isEmpty else { return "" }
    let count = Display.grouped(group.rest.count)
    guard group.first.exhibit == nil else { return "  and \(count) more in this place\n\n" }
    var lines = group.rest.prefix(Self.lineLimit).map { String($0.location.start.line) }
    if group.rest.count > lines.count { lines.append("…") }
    return "  and \(count) more in this file, at \(lines.count == 1 ? "line" : "lines") "
      + "\(lines.joined(separator: ", "))\n\n"
  }

  /// Returns one finding with everything that is known about it, or nil if there is no such
  /// finding.
  ///
  /// - Parameter number: The position of the finding in the report, from 1.
  public func explanation(of number: Int, in report: AuditReport, rules: [Rule]) -> String? {
    guard number > 0, number <= report.findings.count else { return nil }
    let report = report.bounded
    let finding = report.findings[number - 1]
    let lines = SourceLines(report, reveal: reveal)
    let index = RuleIndex(rules)
    var output = styled(Display.safe(finding.location.path), .bold) + "\n\n"
    output += text(of: finding, number: number, index, lines, frames: true)
    if let rule = index[finding.rule] { output += RuleText(colours: colours).text(of: rule) }
    return output
  }

  private func text(
    of finding: Finding, number: Int, _ rules: RuleIndex, _ lines: SourceLines,
    frames: Bool = false
  ) -> String {
    let place = lines.place(of: finding)
    let start = finding.exhibit == nil ? place : place.isEmpty ? "" : "› " + place
    var output = "  " + (start.isEmpty ? "" : styled(start, .cyan) + "  ")
    output += "\(severity(finding.severity))  "
    output +=
      "\(styled(Display.safe(finding.rule.rawValue), .faint))  \(styled("[\(number)]", .faint))\n"
    output += "  \(styled(Display.safe(lines.masked(finding.message, of: finding)), .bold))\n"
    if let exhibit = finding.exhibit {
      output += frame(lines.exhibit(of: finding))
      let circumstances = exhibit.circumstances
      if !circumstances.isEmpty { output += "    \(styled("data", .faint)) \(circumstances)\n" }
    } else {
      output += frame(lines.frame(finding.location))
    }
    for step in finding.trail {
      let place = "\(Display.safe(step.location.path)):\(step.location.start.line)"
      let said = Display.safe(lines.masked(step.message, of: finding))
      output += "    \(styled("from", .faint)) \(place): \(said)\n"
      if frames { output += frame(lines.frame(step.location, context: 0)) }
    }
    for reason in lines.reasons(for: finding) {
      output += "    \(styled(reason.label, .faint)) \(reason.text)\n"
    }
    if let rule = rules[finding.rule] { output += advice(rule) }
    return output + "\n"
  }

  func advice(_ rule: Rule) -> String {
    var output = "    \(styled("why ", .faint)) \(rule.consequence)\n"
    output += "    \(styled("fix ", .faint)) \(rule.remedy)\n"
    let names = rule.references.links.map(\.name).joined(separator: ", ")
    if !names.isEmpty { output += "    \(styled("see ", .faint)) \(names)\n" }
    return output
  }

  func frame(_ frame: CodeFrame?) -> String {
    guard let frame else { return "" }
    let width = String(frame.lines.last?.number ?? 0).utf8.count
    var output = ""
    for line in frame.lines {
      let number = String(line.number)
      let gutter = String(repeating: " ", count: 4 + width - number.utf8.count) + number
      output += "\(styled(gutter + " |", .faint)) \(line.text)\n"
      guard let mark = line.mark else { continue }
      let scalars = line.text.unicodeScalars
      let before = scalars.prefix(mark.lowerBound).reduce(0) { $0 + Self.columns($1) }
      let marked = scalars.dropFirst(mark.lowerBound).prefix(mark.count)
      let carets = max(marked.reduce(0) { $0 + Self.columns($1) }, 1)
      output += styled(String(repeating: " ", count: 4 + width) + " |", .faint)
      output += String(repeating: " ", count: before + 1)
      output += styled(String(repeating: "^", count: carets), .red) + "\n"
    }
    return output
  }

  func frame(_ frame: ExhibitFrame?) -> String {
    func shown(_ text: String, _ isSecret: Bool) -> String {
      isSecret ? styled(text, .red) : text
    }
    switch frame {
    case nil: return ""
    case .text(let lines):
      return lines.map { pieces in
        let text = pieces.map { shown($0.text, $0.isSecret) }.joined()
        return "    \(styled("|", .faint)) \(text)\n"
      }.joined()
    case .hex(let rows):
      return rows.map { row in
        let digits = row.bytes.map { shown($0.digits, $0.isSecret) }.joined(separator: " ")
        let blanks = String(repeating: " ", count: (16 - row.bytes.count) * 3)
        let characters = row.bytes.map { shown($0.character, $0.isSecret) }.joined()
        return "    \(styled(row.place, .faint))  \(digits)\(blanks)  \(characters)\n"
      }.joined()
    }
  }

  /// The number of terminal columns that a character takes.
  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x300...0x36F, 0x200B...0x200D, 0xFE00...0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }

  /// Returns the lines about what weakens the audit: comments that suppress nothing, and files that
  /// could not be read.
  private func warnings(of report: AuditReport) -> String {
    var output = ""
    for unused in report.unusedSuppressions {
      output += "\(Display.safe(unused.path)):\(unused.line): \(styled("comment", .yellow)) "
      output += "suppresses nothing. \(Display.safe(unused.why))\n"
    }
    return output + places(notReadOf: report)
  }

  private func summary(of report: AuditReport) -> String {
    var output = warnings(of: report)
    if !output.isEmpty { output += "\n" }
    if !report.findings.isEmpty {
      let files = Set(report.findings.map(\.location.path)).count
      let found =
        "\(Display.count(report.findings.count, "finding")) "
        + "(\(report.severities(of: report.findings))) in \(Display.count(files, "file"))."
      output += styled(found, .bold) + " "
    }
    output += "\(report.scope), in \(String(format: "%.2f", report.statistics.seconds)) s.\n"
    for container in report.containers { output += "\(container.overview).\n" }
    if !report.suppressed.isEmpty {
      output += "Suppressed by comments: \(Display.grouped(report.suppressed.count)).\n"
    }
    if !report.known.isEmpty {
      output += "Known from the baseline: \(Display.grouped(report.known.count)).\n"
    }
    if !report.mended.isEmpty {
      output += "Fixed since the baseline: \(Display.grouped(report.mended.count)). "
      output += "--update-baseline removes them.\n"
    }
    if !report.skipped.isEmpty {
      output += "Not read, in whole or in part: \(Display.grouped(report.skipped.count)).\n"
    }
    let open = report.checklist.count { $0.answer == nil }
    if open > 0 {
      output += "'atrest-audit checklist' has \(Display.count(open, "question")) "
      output += "that no program can answer.\n"
    }
    let leftOut = report.leftOutByReason
    return output
      + (leftOut.isEmpty
        ? "Nothing was left out\(report.skipped.isEmpty ? "" : " on purpose").\n"
        : "Left out on purpose: \(leftOut.joined(separator: ", ")).\n")
  }

  /// The maximum number of places that are shown per file. A damaged database can have thousands.
  private static let shownPlaces = 5

  private func places(notReadOf report: AuditReport) -> String {
    var output = ""
    func add(_ path: String, _ line: Int?, _ reason: String) {
      let line = line.map { ":\($0)" } ?? ""
      output += "\(Display.safe(path))\(line): \(styled("not read", .yellow)). "
      output += "\(Display.safe(reason))\n"
    }
    var rest = report.skipped[...]
    while let path = rest.first?.path {
      let places = rest.prefix { $0.path == path }
      rest = rest.dropFirst(places.count)
      for skip in places.prefix(Self.shownPlaces) { add(path, skip.line, skip.reason) }
      let further = places.count - Self.shownPlaces
      if further > 0 {
        let count = Display.count(further, "more place")
        add(path, nil, "\(count) in this file. --format json lists them all.")
      }
    }
    return output
  }

  func severity(_ severity: Severity) -> String {
    switch severity {
    case .high: styled("high", .red)
    case .medium: styled("medium", .yellow)
    case .low: styled("low", .blue)
    case .note: styled("note", .cyan)
    }
  }

  func styled(_ text: String, _ style: Style) -> String {
    colours ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
