import AtRestAuditModel
import AtRestFormats
import Foundation

/// Separates findings that comments suppress from the others.
struct Suppressions {
  /// The identifiers of all rules.
  let rules: Set<RuleID>
  /// Returns true if a rule is used in this audit. A comment that names an unused rule is not
  /// reported as unnecessary.
  let isUsed: (RuleID) -> Bool

  struct Result {
    var findings: [Finding] = []
    var suppressed: [AuditReport.Suppressed] = []
    var unused: [AuditReport.UnusedSuppression] = []
  }

  /// A rule that a comment names, and the lines that the comment covers.
  private struct Span {
    let rule: RuleID
    let reason: String
    /// The line of the comment.
    let line: Int
    let lines: ClosedRange<Int>
    /// True if findings that end on one of the lines are covered too.
    let takesEnd: Bool
    var isUsed = false

    func covers(_ location: Location) -> Bool {
      lines.contains(location.start.line) || takesEnd && lines.contains(location.end.line)
    }
  }

  /// - Parameters:
  ///   - findings: The findings of one file.
  ///   - text: The bytes of the file, to find the next line of code.
  func apply(
    _ directives: [Directive], to findings: [Finding], path: String, text: Data?
  ) -> Result {
    var result = Result()
    var spans = spans(of: directives, path: path, text: text, &result)
    // The comment with the narrowest range applies, so that a redundant comment for the whole file
    // is reported.
    let order = spans.indices.sorted { spans[$0].lines.count < spans[$1].lines.count }
    for finding in findings {
      let taken = order.first { index in
        spans[index].rule == finding.rule && spans[index].covers(finding.location)
      }
      guard let taken else {
        result.findings.append(finding)
        continue
      }
      spans[taken].isUsed = true
      result.suppressed.append(
        .init(finding: finding, reason: spans[taken].reason, line: spans[taken].line))
    }
    for span in spans where !span.isUsed && isUsed(span.rule) {
      result.unused.append(
        .init(path: path, line: span.line, why: "\(span.rule) has no finding here."))
    }
    result.unused.sort { ($0.line, $0.why) < ($1.line, $1.why) }
    return result
  }

  private func spans(
    of directives: [Directive], path: String, text: Data?, _ result: inout Result
  ) -> [Span] {
    var spans: [Span] = []
    var open: [RuleID: (line: Int, reason: String)] = [:]
    var codeLines: CodeLines?
    func complain(_ line: Int, _ why: String) {
      result.unused.append(.init(path: path, line: line, why: why))
    }
    for directive in directives.sorted(by: { $0.line < $1.line }) {
      let line = directive.line
      guard let suppression = Suppression(directive.text) else {
        if directive.text.hasPrefix("ignore") {
          complain(line, "'atrest:\(directive.text.prefix(40))' is not a known suppression.")
        }
        continue
      }
      if suppression.rules.isEmpty { complain(line, "It names no rule.") }
      for rule in suppression.rules {
        guard rules.contains(rule) else {
          let nearest = Spelling.nearest(to: rule.rawValue, among: rules.map(\.rawValue).sorted())
          complain(
            line,
            "The rule '\(rule.rawValue.prefix(60))' does not exist."
              + (nearest.map { " Did you mean '\($0)'?" } ?? ""))
          continue
        }
        if suppression.scope == .end {
          guard let begin = open.removeValue(forKey: rule) else {
            complain(line, "No atrest:ignore-begin \(rule) precedes it.")
            continue
          }
          spans.append(
            Span(
              rule: rule, reason: begin.reason, line: begin.line, lines: begin.line...line,
              takesEnd: false))
          continue
        }
        guard !suppression.reason.isEmpty else {
          complain(line, "It gives no reason. Write 'atrest:ignore \(rule) REASON'.")
          continue
        }
        switch suppression.scope {
        case .line:
          var target = line
          if !directive.followsCode {
            if codeLines == nil { codeLines = CodeLines(text ?? Data()) }
            target = codeLines?.next(after: line) ?? line + 1
          }
          spans.append(
            Span(
              rule: rule, reason: suppression.reason, line: line, lines: target...target,
              takesEnd: directive.followsCode))
        case .begin:
          if let before = open[rule] {
            complain(line, "\(rule) is already suppressed from line \(before.line).")
          } else {
            open[rule] = (line, suppression.reason)
          }
        case .file:
          spans.append(
            Span(
              rule: rule, reason: suppression.reason, line: line, lines: 0...Int.max - 1,
              takesEnd: false))
        case .end: break
        }
      }
    }
    for (rule, begin) in open.sorted(by: { $0.key < $1.key }) {
      complain(
        begin.line, "The suppression of \(rule) does not end. Add atrest:ignore-end \(rule).")
    }
    return spans
  }
}

/// Finds the lines of a file that contain more than comments.
private struct CodeLines {
  private let isCode: [Bool]

  init(_ text: Data) {
    isCode = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Self.isCode)
  }

  private static func isCode(_ line: Data.SubSequence) -> Bool {
    let words = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    func begins(_ text: String) -> Bool { words.starts(with: text.utf8) }
    if words.isEmpty || begins("//") || begins("# ") { return false }
    // These are the usual forms of the lines of a block comment.
    if begins("* ") || begins("*/") || words.elementsEqual([0x2A]) { return false }
    for (open, close) in [("/*", "*/"), ("<!--", "-->")] where begins(open) {
      guard let end = words.range(of: Data(close.utf8)) else { return false }
      return isCode(words[end.upperBound...])
    }
    return true
  }

  func next(after line: Int) -> Int? {
    guard line >= 0, line < isCode.count else { return nil }
    return isCode[line...].firstIndex(of: true).map { $0 + 1 }
  }
}
