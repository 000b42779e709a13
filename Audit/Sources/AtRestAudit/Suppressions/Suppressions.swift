import AtRestAuditModel
import AtRestFormats
import Foundation

/// Takes out of findings those that comments let stand.
struct Suppressions {
  /// The identifiers of the rules that there are.
  let rules: Set<RuleID>
  /// Whether a rule is used in this audit: what suppresses another is not told to be without use.
  let isUsed: (RuleID) -> Bool

  struct Result {
    var findings: [Finding] = []
    var suppressed: [AuditReport.Suppressed] = []
    var unused: [AuditReport.UnusedSuppression] = []
  }

  /// One rule of one comment, and the lines that it speaks of.
  private struct Span {
    let rule: RuleID
    let reason: String
    /// The line of the comment.
    let line: Int
    let lines: ClosedRange<Int>
    /// Whether a finding that ends on the line is meant too.
    let takesEnd: Bool
    var isUsed = false

    func covers(_ location: Location) -> Bool {
      lines.contains(location.start.line) || takesEnd && lines.contains(location.end.line)
    }
  }

  /// - Parameters:
  ///   - findings: Those of one file.
  ///   - text: Its bytes, from which the next line of code is told.
  func apply(
    _ directives: [Directive], to findings: [Finding], path: String, text: Data?
  ) -> Result {
    var result = Result()
    var spans = spans(of: directives, path: path, text: text, &result)
    // The nearest comment is the one that is meant, so that one for a file is told where it is too much.
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
        .init(path: path, line: span.line, why: "Nothing of \(span.rule) is found here."))
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
          complain(line, "'atrest:\(directive.text.prefix(40))' is no suppression.")
        }
        continue
      }
      if suppression.rules.isEmpty { complain(line, "It names no rule.") }
      for rule in suppression.rules {
        guard rules.contains(rule) else {
          let nearest = Spelling.nearest(to: rule.rawValue, among: rules.map(\.rawValue).sorted())
          complain(
            line,
            "There is no rule '\(rule.rawValue.prefix(60))'."
              + (nearest.map { " Did you mean '\($0)'?" } ?? ""))
          continue
        }
        if suppression.scope == .end {
          guard let begin = open.removeValue(forKey: rule) else {
            complain(line, "No suppression of \(rule) begins before.")
            continue
          }
          spans.append(
            Span(
              rule: rule, reason: begin.reason, line: begin.line, lines: begin.line...line,
              takesEnd: false))
          continue
        }
        guard !suppression.reason.isEmpty else {
          complain(line, "It gives no reason: 'atrest:ignore \(rule) why this may stand'.")
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
            complain(line, "\(rule) is suppressed from line \(before.line) on already.")
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
      complain(begin.line, "The suppression of \(rule) does not end: atrest:ignore-end \(rule).")
    }
    return spans
  }
}

/// Tells on which lines of a file something other than comments stands.
private struct CodeLines {
  private let isCode: [Bool]

  init(_ text: Data) {
    isCode = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Self.isCode)
  }

  private static func isCode(_ line: Data.SubSequence) -> Bool {
    let words = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    func begins(_ text: String) -> Bool { words.starts(with: text.utf8) }
    if words.isEmpty || begins("//") || begins("# ") { return false }
    // The lines of a block comment, as they are mostly written.
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
