import AtRestAudit
import Foundation

/// The findings in one app that people judged by reading its code.
///
/// A file `owner+name.tsv` begins with `# owner/name commit`. Each line after it has a verdict, the
/// severity at the time, the rule, the path, the lines (`12` or `12-14`) and the reason, separated by
/// tabs.
struct JudgedApp {
  enum Verdict: String, CaseIterable {
    case right
    /// True, but reported with a severity that is too high. Right once the severity is lower.
    case severe
    case debatable, wrong
    /// A problem that a reader found, and the auditor did not.
    case missed
  }

  struct Judgement {
    let verdict: Verdict
    /// The severity that was judged, or nil if the place was not a finding then.
    let severity: Severity?
    let rule: String
    let path: String
    let lines: ClosedRange<Int>
    let reason: String
  }

  let name: String
  let judgements: [Judgement]

  /// Reads the judgements of one app.
  ///
  /// - Throws: ``FormatError`` with the line that does not have the form above.
  init(_ file: URL) throws {
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    guard let head = lines.first, head.hasPrefix("# "), head.split(separator: " ").count == 3 else {
      throw FormatError(file: file.lastPathComponent, line: 1)
    }
    name = String(head.split(separator: " ")[1])
    judgements = try lines.enumerated().dropFirst().map { index, line in
      guard let judgement = Judgement(line) else {
        throw FormatError(file: file.lastPathComponent, line: index + 1)
      }
      return judgement
    }
  }

  struct FormatError: Error, CustomStringConvertible {
    let file: String
    let line: Int

    var description: String {
      "\(file):\(line): expected a verdict, a severity, a rule, a path, lines and a reason."
    }
  }
}

extension JudgedApp.Judgement {
  init?(_ line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    let numbers = fields.count == 6 ? fields[4].split(separator: "-").compactMap { Int($0) } : []
    guard let verdict = JudgedApp.Verdict(rawValue: fields[0]), let first = numbers.first,
      let last = numbers.last, first <= last
    else { return nil }
    self.init(
      verdict: verdict, severity: Severity(rawValue: fields[1]), rule: fields[2], path: fields[3],
      lines: first...last, reason: fields[5])
  }

  /// Returns true if a finding is about the judged place: the same rule, in lines that overlap. An
  /// inventory has one entry for each file and thing, wherever it is used first. One entry stands for
  /// the entitlements of all targets that share the same group.
  func matches(_ finding: Finding) -> Bool {
    if rule == "shared-container", verdict == .right, path.hasSuffix(".entitlements"),
      finding.rule.rawValue == rule, finding.location.path.hasSuffix(".entitlements")
    {
      return true
    }
    guard finding.rule.rawValue == rule else { return false }
    return ([finding.location] + finding.places).contains { place in
      let first = place.start.line
      return place.path == path
        && (lines.overlaps(first...max(first, place.end.line))
          || ["shared-container", "ipc-inventory"].contains(rule) && verdict == .right)
    }
  }
}
